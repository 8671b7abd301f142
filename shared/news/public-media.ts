import type { ArticleOutline, Media } from './article';

/**
 * Whether visitors may know of one of an article's media. What was uploaded for the text alone is theirs only while the
 * saved text shows it, or while it was chosen as the featured image: what is typed is not public until Save.
 */
export function isPublicMedia(
  { id, placement, inText }: Pick<Media, 'id' | 'placement' | 'inText'>,
  featuredImageId: string | null,
): boolean {
  return placement === 'gallery' || inText || id === featuredImageId;
}

/** An article with those of its media that visitors may know of. */
export function withPublicMedia<Read extends Pick<ArticleOutline, 'featuredImageId' | 'media'>>(
  article: Read,
): Read {
  return {
    ...article,
    media: article.media.filter((item) => isPublicMedia(item, article.featuredImageId)),
  };
}

/** Those of an article's public media that its page shows below the text; `unplaced` are nowhere in the text. */
export function galleryOf(unplaced: readonly Media[]): Media[] {
  return unplaced.filter(({ placement }) => placement === 'gallery');
}

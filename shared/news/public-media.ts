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

/**
 * Those of an article's public media that its page shows below the text; `unplaced` are nowhere in the text. What
 * stands in the text is not repeated, unless it has a caption: that is shown here alone.
 */
export function galleryOf(media: readonly Media[], unplaced: readonly Media[]): Media[] {
  return media.filter((item) => {
    if (item.caption !== '') return item.placement === 'gallery' || item.inText;
    return item.placement === 'gallery' && unplaced.includes(item);
  });
}

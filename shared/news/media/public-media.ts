import type { ArticleOutline, Media } from '../article';

/** Whether an article's media is public. An inline image is while the saved text shows it, or as the featured image. */
export function isPublicMedia(
  { id, placement, inText }: Pick<Media, 'id' | 'placement' | 'inText'>,
  featuredImageId: string | null,
): boolean {
  return placement === 'gallery' || inText || id === featuredImageId;
}

/** An article with its public media only. */
export function withPublicMedia<Read extends Pick<ArticleOutline, 'featuredImageId' | 'media'>>(
  article: Read,
): Read {
  return {
    ...article,
    media: article.media.filter((item) => isPublicMedia(item, article.featuredImageId)),
  };
}

/** The media that an article's page shows below the text. An image of the text is repeated only for its caption. */
export function galleryOf(media: readonly Media[], unplaced: readonly Media[]): Media[] {
  return media.filter((item) => {
    if (item.caption !== '') return item.placement === 'gallery' || item.inText;
    return item.placement === 'gallery' && unplaced.includes(item);
  });
}

import { PRODUCT_NAME } from '#shared/brand';

/** The preview image of a link to the page. */
export interface ShareImage {
  /** Root-relative. */
  path: string;
  /** The media type: JPEG or PNG, because not every site and app shows WebP. */
  type: 'image/jpeg' | 'image/png';
  width: number;
  height: number;
  alt: string;
}

/** The default preview image. */
export const SHARE_IMAGE: ShareImage = {
  path: '/share.png',
  type: 'image/png',
  width: 1200,
  height: 630,
  alt: `${PRODUCT_NAME}: be in line before the line exists.`,
};

import { variantName } from '../../storage/images/variant-names';
import { uploadPath } from '../../storage/upload-path';
import type { Product } from './products';

/** The stored image of a product: its largest variant. */
export interface StoredImage {
  /** `/uploads/…` */
  path: string;
  /** In pixels. */
  width: number;
  height: number;
}

/** The image of a product's columns; null without one. */
export function storedImageOf({
  image_upload_id: uploadId,
  image_width: width,
  image_height: height,
}: Pick<Product, 'image_upload_id' | 'image_width' | 'image_height'>): StoredImage | null {
  if (uploadId === null || width === null || height === null) return null;
  return { path: uploadPath(uploadId, variantName(width)), width, height };
}

import type { StoredImage } from '#shared/monitor/products/stored-image';
import { srcSetOf } from '#shared/storage/images/variant-names';
import { Placeholder } from '~/components/restock/placeholder';

interface ProductImageProps {
  image: StoredImage | null;
  /** Empty where the title is next to it. */
  alt: string;
  /** How wide it is shown, as the attribute `sizes`. */
  sizes: string;
  /** Its size and proportions. */
  className: string;
  /** Whether it is seen before the page is scrolled. */
  isFirst?: boolean;
}

/** The image of a product in a card pocket, whole and on white as shops show it; without one, the placeholder. */
export function ProductImage({ image, alt, sizes, className, isFirst = false }: ProductImageProps) {
  const pocket = `relative overflow-hidden rounded-control border border-line ${className}`;
  if (image === null)
    return (
      <div className={`${pocket} border-dashed bg-sunken`}>
        <Placeholder />
      </div>
    );
  return (
    <div className={`${pocket} bg-[#fff]`}>
      <img
        src={image.path}
        srcSet={srcSetOf(image.path)}
        sizes={sizes}
        alt={alt}
        width={image.width}
        height={image.height}
        loading={isFirst ? 'eager' : 'lazy'}
        decoding="async"
        className="absolute inset-0 size-full object-contain p-1"
      />
    </div>
  );
}

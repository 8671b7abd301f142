import type { Picture } from './story';

/**
 * A story's picture in a box that never changes its shape. The placeholder lies beneath: it is what shows when there is
 * no picture, while it loads, and when its file is gone. The story's title stands beside it, so it needs no words.
 */
export function StoryPicture({
  picture,
  sizes,
  eager = false,
}: {
  picture: Picture | null;
  sizes: string;
  eager?: boolean;
}) {
  return (
    <div className="story-picture">
      {picture === null ? null : (
        <img
          src={picture.src}
          srcSet={picture.srcSet}
          sizes={picture.srcSet === undefined ? undefined : sizes}
          width={picture.width}
          height={picture.height}
          alt=""
          loading={eager ? undefined : 'lazy'}
          decoding="async"
        />
      )}
    </div>
  );
}

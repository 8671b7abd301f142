import { useEffect, useRef, useState } from 'react';

/** CSS pixels, so that the page does not move while the picture loads. */
const SIZE = 32;

/** A member's Discord picture, as this server keeps it; the first letter of the name where there is none. */
export function Avatar({ name, picture }: { name: string; picture: string | null }) {
  const image = useRef<HTMLImageElement>(null);
  const [broken, setBroken] = useState<string | null>(null);

  useEffect(() => {
    // An image that failed before the scripts arrived says so by its size alone.
    if (image.current?.complete === true && image.current.naturalWidth === 0) setBroken(picture);
  }, [picture]);

  return (
    <span
      aria-hidden="true"
      className="grid size-8 shrink-0 place-items-center overflow-hidden rounded-full border border-line bg-sunken font-display text-small font-bold uppercase"
    >
      {picture === null || picture === broken ? (
        ([...name][0] ?? '?')
      ) : (
        <img
          ref={image}
          src={picture}
          alt=""
          width={SIZE}
          height={SIZE}
          className="size-full object-cover"
          onError={() => setBroken(picture)}
        />
      )}
    </span>
  );
}

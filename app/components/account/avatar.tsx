import { useEffect, useRef, useState } from 'react';

/** In CSS pixels; fixed, so that loading the image moves nothing. */
const SIZE = 32;

/** A user's avatar from the URL of its image; the first letter of the name if there is none or it does not load. */
export function Avatar({ name, url }: { name: string; url: string | null }) {
  const image = useRef<HTMLImageElement>(null);
  const [failedUrl, setFailedUrl] = useState<string | null>(null);

  useEffect(() => {
    // If the image failed before hydration, `onError` never fires.
    if (image.current?.complete === true && image.current.naturalWidth === 0) setFailedUrl(url);
  }, [url]);

  return (
    <span
      aria-hidden="true"
      className="grid size-8 shrink-0 place-items-center overflow-hidden rounded-full border border-line bg-sunken font-display text-small font-bold uppercase"
    >
      {url === null || url === failedUrl ? (
        ([...name][0] ?? '?')
      ) : (
        <img
          ref={image}
          src={url}
          alt=""
          width={SIZE}
          height={SIZE}
          className="size-full object-cover"
          onError={() => setFailedUrl(url)}
        />
      )}
    </span>
  );
}

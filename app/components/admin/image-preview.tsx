import { useEffect, useRef, useState } from 'react';

/** What the recommendation says: narrower or lower pictures look soft on a large screen. */
const RECOMMENDED = { width: 800, height: 600 };
const BOX = { width: 320, height: 240 };

/**
 * A chosen picture before it is sent, with its size in pixels; a new one for each file. It is drawn rather than loaded: this page's policy may
 * come from another page of the site, which admits no blob addresses.
 */
export function ImagePreview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);

  useEffect(() => {
    let current = true;
    createImageBitmap(file)
      .then((picture) => {
        const pen = canvas.current?.getContext('2d');
        if (current && pen) {
          const scale = Math.max(BOX.width / picture.width, BOX.height / picture.height);
          const [width, height] = [picture.width * scale, picture.height * scale];
          pen.clearRect(0, 0, BOX.width, BOX.height);
          pen.drawImage(picture, (BOX.width - width) / 2, (BOX.height - height) / 2, width, height);
          setSize({ width: picture.width, height: picture.height });
        }
        picture.close();
      })
      // A picture that this browser cannot draw is for the server to judge.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [file]);

  const small = size !== null && (size.width < RECOMMENDED.width || size.height < RECOMMENDED.height);
  return (
    <figure className={size === null ? 'hidden' : 'grid gap-1.5'}>
      <canvas
        ref={canvas}
        width={BOX.width}
        height={BOX.height}
        role="img"
        aria-label={`Preview of ${file.name}`}
        className="aspect-[4/3] w-full max-w-80 rounded-pocket border border-line"
      />
      <figcaption aria-live="polite" className="text-small text-soft">
        {size === null ? null : `${size.width} × ${size.height} pixels.`}
        {small ? ' Smaller than recommended: it may look soft.' : null}
      </figcaption>
    </figure>
  );
}

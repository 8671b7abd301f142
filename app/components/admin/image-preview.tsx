import { useState } from 'react';
import { PictureCanvas } from '~/components/ui/picture-canvas';

/** What the recommendation says: narrower or lower pictures look soft on a large screen. */
const RECOMMENDED = { width: 800, height: 600 };
const BOX = { width: 320, height: 240 };

/** A chosen picture before it is sent, with its size in pixels; a new one for each file. */
export function ImagePreview({ file }: { file: File }) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const small = size !== null && (size.width < RECOMMENDED.width || size.height < RECOMMENDED.height);
  return (
    <figure className={size === null ? 'hidden' : 'grid gap-1.5'}>
      <PictureCanvas
        picture={file}
        {...BOX}
        label={`Preview of ${file.name}`}
        className="aspect-[4/3] w-full max-w-80 rounded-pocket border border-line"
        onDrawn={setSize}
      />
      <figcaption aria-live="polite" className="text-small text-soft">
        {size === null ? null : `${size.width} × ${size.height} pixels.`}
        {small ? ' Smaller than recommended: it may look soft.' : null}
      </figcaption>
    </figure>
  );
}

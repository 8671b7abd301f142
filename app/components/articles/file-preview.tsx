import { useState } from 'react';
import { PictureCanvas } from '~/components/ui/picture-canvas';

/** Twice as fine as it is shown, for fine screens. */
const SIZE = { width: 144, height: 108 };
const LOOK = 'h-[54px] w-[72px] rounded-control border';

/** A chosen file as a small picture; an empty pocket for what is no image, or none that this browser can show. */
export function FilePreview({ file }: { file: File }) {
  const [drawn, setDrawn] = useState(false);
  const isImage = file.type.startsWith('image/');
  return (
    <>
      {drawn ? null : (
        <span
          aria-hidden="true"
          className={`${LOOK} grid place-items-center border-dashed border-soft text-small text-soft`}
        >
          {file.type.startsWith('video/') ? 'Video' : null}
        </span>
      )}
      {isImage ? (
        <PictureCanvas
          picture={file}
          {...SIZE}
          label=""
          className={drawn ? `${LOOK} border-line` : 'hidden'}
          onDrawn={() => setDrawn(true)}
        />
      ) : null}
    </>
  );
}

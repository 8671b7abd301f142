import { useEffect, useRef } from 'react';

interface PictureCanvasProps {
  /** A file is decoded, drawn and let go of. */
  picture: File | ImageBitmap;
  /** Pixels of the canvas, which the picture's middle fills. */
  width: number;
  height: number;
  /** Empty: it says nothing that does not stand beside it. */
  label: string;
  className: string;
  /** Told the picture's own size when it is drawn; of one that this browser cannot draw nothing is told. */
  onDrawn?: (size: { width: number; height: number }) => void;
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap): void {
  const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const pen = canvas.getContext('2d');
  pen?.clearRect(0, 0, canvas.width, canvas.height);
  pen?.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
}

/** A picture that is not on the site yet. Drawn, not linked to: the page's policy need not admit `blob:` for it. */
export function PictureCanvas({ picture, width, height, label, className, onDrawn }: PictureCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const told = useRef(onDrawn);
  useEffect(() => {
    told.current = onDrawn;
  });
  useEffect(() => {
    let gone = false;
    const show = (bitmap: ImageBitmap) => {
      if (gone || canvas.current === null) return;
      draw(canvas.current, bitmap);
      told.current?.({ width: bitmap.width, height: bitmap.height });
    };
    if (picture instanceof ImageBitmap) show(picture);
    else {
      createImageBitmap(picture).then(
        (bitmap) => {
          show(bitmap);
          bitmap.close();
        },
        // The server says what is wrong with it.
        () => undefined,
      );
    }
    return () => {
      gone = true;
    };
  }, [picture, width, height]);
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      {...(label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      className={className}
    />
  );
}

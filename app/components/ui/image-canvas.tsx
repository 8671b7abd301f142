import { useEffect, useRef } from 'react';

interface ImageCanvasProps {
  /** A file is decoded and released after drawing. */
  image: File | ImageBitmap;
  /** Size of the canvas in pixels. The image covers it, centred. */
  width: number;
  height: number;
  /** Accessible name; empty for a decorative image. */
  label: string;
  className: string;
  /** Called with the image's own size after drawing; not called if the browser cannot decode the file. */
  onDrawn?: (size: { width: number; height: number }) => void;
}

function draw(canvas: HTMLCanvasElement, image: ImageBitmap): void {
  const scale = Math.max(canvas.width / image.width, canvas.height / image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  const context = canvas.getContext('2d');
  context?.clearRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(image, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
}

/** Shows an image that is not uploaded yet. A canvas, so that the Content-Security-Policy needs no `blob:`. */
export function ImageCanvas({ image, width, height, label, className, onDrawn }: ImageCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latestOnDrawn = useRef(onDrawn);
  useEffect(() => {
    latestOnDrawn.current = onDrawn;
  });
  useEffect(() => {
    let unmounted = false;
    const show = (bitmap: ImageBitmap) => {
      if (unmounted || canvas.current === null) return;
      draw(canvas.current, bitmap);
      latestOnDrawn.current?.({ width: bitmap.width, height: bitmap.height });
    };
    if (image instanceof ImageBitmap) show(image);
    else {
      createImageBitmap(image).then(
        (bitmap) => {
          show(bitmap);
          bitmap.close();
        },
        // The server reports what is wrong with the file.
        () => undefined,
      );
    }
    return () => {
      unmounted = true;
    };
  }, [image, width, height]);
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

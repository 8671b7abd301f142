import { useEffect, useState } from 'react';

const WIDTH_PX = 144;
const HEIGHT_PX = 108;

/** Draws a picture's middle small. As a data address, which the page's policy allows everywhere. */
async function drawSmall(file: File): Promise<string> {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH_PX;
  canvas.height = HEIGHT_PX;
  const scale = Math.max(WIDTH_PX / picture.width, HEIGHT_PX / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  canvas
    .getContext('2d')
    ?.drawImage(picture, (WIDTH_PX - width) / 2, (HEIGHT_PX - height) / 2, width, height);
  picture.close();
  return canvas.toDataURL('image/webp', 0.8);
}

/** A chosen file as a small picture; an empty pocket for what is no picture, or none that this browser can show. */
export function FilePreview({ file }: { file: File }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith('image/')) return;
    let gone = false;
    drawSmall(file).then(
      (drawn) => {
        if (!gone) setAddress(drawn);
      },
      // The server says what is wrong with it.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [file]);
  const look = 'h-[54px] w-[72px] rounded-control border';
  return address === null ? (
    <span
      aria-hidden="true"
      className={`${look} grid place-items-center border-dashed border-soft text-small text-soft`}
    >
      {file.type.startsWith('video/') ? 'Film' : null}
    </span>
  ) : (
    <img src={address} width={72} height={54} alt="" className={`${look} border-line`} />
  );
}

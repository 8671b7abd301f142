import { useEffect, useState } from 'react';
import { isKeptAnimation, readAnimation } from '#shared/storage/images/animation';

/** No field takes larger images. */
const READ_LIMIT_BYTES = 10 * 1024 ** 2;

/** Whether only the first frame is kept. `keepsSmall`: small animations stay. False for an unreadable file. Never throws. */
export async function losesAnimation(file: File, { keepsSmall }: { keepsSmall: boolean }): Promise<boolean> {
  if (!file.type.startsWith('image/') || file.size > READ_LIMIT_BYTES) return false;
  try {
    const animation = readAnimation(new Uint8Array(await file.arrayBuffer()));
    return animation !== null && !(keepsSmall && isKeptAnimation(animation, file.size));
  } catch {
    return false;
  }
}

/** The note before saving. */
export function firstPictureOf(names: readonly string[]): string {
  return `Only the first frame of ${new Intl.ListFormat('en-GB').format(names)} is kept, without the animation.`;
}

/** Says that only the first frame of a chosen animation is kept; nothing for other files. */
export function AnimationNote({ file, keepsSmall }: { file: File; keepsSmall: boolean }) {
  const [loses, setLoses] = useState(false);
  useEffect(() => {
    let current = true;
    void losesAnimation(file, { keepsSmall }).then((result) => {
      if (current) setLoses(result);
    });
    return () => {
      current = false;
    };
  }, [file, keepsSmall]);
  return (
    <div role="status">
      {loses ? <p className="text-small text-soft">{firstPictureOf([file.name])}</p> : null}
    </div>
  );
}

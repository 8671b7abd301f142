import { useEffect, useState } from 'react';
import { firstPictureOf, losesAnimation } from './loses-animation';

/** Says that only the first picture of a chosen animation is kept; nothing for other files. */
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

import { useEffect, useRef, useState } from 'react';

/** A card that nobody has turned over yet, on another one. */
function FaceDown() {
  return (
    <svg
      viewBox="0 0 160 120"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      aria-hidden="true"
      className="absolute inset-0 size-full text-line"
    >
      <rect x="63" y="24" width="50" height="70" rx="6" transform="rotate(11 88 59)" />
      <g transform="rotate(-5 75 60)">
        <rect x="50" y="25" width="50" height="70" rx="6" className="fill-sunken" />
        <rect x="56" y="31" width="38" height="58" rx="3.5" strokeWidth="1.5" />
        <circle cx="75" cy="60" r="11" strokeWidth="1.5" />
        <circle cx="75" cy="60" r="4" fill="currentColor" stroke="none" />
      </g>
    </svg>
  );
}

/**
 * A product's picture over a placeholder, which is all there is when no picture came or it does not load. The picture
 * has no words of its own: the name stands beside it, and a broken one must leave the placeholder to be seen.
 */
export function ProductPicture({ address }: { address: string | null }) {
  const picture = useRef<HTMLImageElement>(null);
  const [state, setState] = useState<'unknown' | 'loaded' | 'failed'>('unknown');

  // It may have loaded, or failed, before scripts could hear of it.
  useEffect(() => {
    const { complete = false, naturalWidth = 0 } = picture.current ?? {};
    setState(complete ? (naturalWidth > 0 ? 'loaded' : 'failed') : 'unknown');
  }, [address]);

  return (
    <div className="relative aspect-[4/3] overflow-hidden rounded-pocket border border-dashed border-line bg-sunken">
      {state === 'loaded' ? null : <FaceDown />}
      {address === null || state === 'failed' ? null : (
        <img
          ref={picture}
          src={address}
          alt=""
          width={800}
          height={600}
          decoding="async"
          referrerPolicy="no-referrer"
          onLoad={() => setState('loaded')}
          onError={() => setState('failed')}
          className="absolute inset-0 size-full object-contain"
        />
      )}
    </div>
  );
}

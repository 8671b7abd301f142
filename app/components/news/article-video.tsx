import { useEffect, useRef, useState } from 'react';
import type { GalleryItem } from './article-view';

type Video = Extract<GalleryItem, { kind: 'video' }>;

/** A video with the browser's own controls. One that cannot be played says so in the same place. */
export function ArticleVideo({ video }: { video: Video }) {
  const player = useRef<HTMLVideoElement>(null);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    // It may have failed before this page had any script to hear it.
    if (player.current?.error) setBroken(true);
  }, []);
  return (
    <div className="gallery-pocket">
      {broken ? (
        <p className="m-auto p-5 text-center text-soft">This video can’t be played.</p>
      ) : (
        <video
          ref={player}
          src={video.src}
          width={video.width ?? undefined}
          height={video.height ?? undefined}
          aria-label={video.label ?? 'Video'}
          controls
          preload="metadata"
          playsInline
          onError={() => setBroken(true)}
        >
          <a href={video.src}>Download the video</a>
        </video>
      )}
    </div>
  );
}

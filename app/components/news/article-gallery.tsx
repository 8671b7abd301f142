import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { GalleryItem } from './article-view';
import type { Picture } from './story';

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

function GalleryPicture({ picture, alone }: { picture: Picture; alone: boolean }) {
  return (
    // The pocket shows all of it, however it is shaped; its own page shows it at full size.
    <a href={picture.src} className="gallery-pocket">
      <img
        src={picture.src}
        srcSet={picture.srcSet}
        sizes={alone ? '(min-width: 50rem) 42rem, 100vw' : '(min-width: 50rem) 21rem, 100vw'}
        width={picture.width}
        height={picture.height}
        alt={picture.alt || 'Picture without a description'}
        loading="lazy"
        decoding="async"
      />
    </a>
  );
}

function Captioned({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <figure className="min-w-0">
      {children}
      {caption === '' ? null : <figcaption className="mt-2 text-small text-soft">{caption}</figcaption>}
    </figure>
  );
}

/** The images and videos of an article, in the pockets of a binder page. */
export function ArticleGallery({ items }: { items: GalleryItem[] }) {
  if (items.length === 0) return null;
  const alone = items.length === 1;
  return (
    <section aria-label="Media" className="mt-10">
      <ul className={`binder grid gap-4 ${alone ? '' : 'sm:grid-cols-2'}`}>
        {items.map((item) => (
          <li key={item.id} className="min-w-0">
            <Captioned caption={item.caption}>
              {item.kind === 'image' ? (
                <GalleryPicture picture={item.picture} alone={alone} />
              ) : (
                <ArticleVideo video={item} />
              )}
            </Captioned>
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { ReactNode } from 'react';
import type { GalleryItem } from './article-view';
import type { Picture } from './story';
import { ArticleVideo } from './article-video';

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

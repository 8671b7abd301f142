import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ArticleHeader } from './article-header';
import type { ArticleView, GalleryItem } from './article-view';
import { Caption } from '~/components/ui/card';
import { StaticHtml } from '~/components/site/static-html';
import type { PageImage } from './story';

type Video = Extract<GalleryItem, { kind: 'video' }>;

/** A video with the browser's controls; a message in its place if it cannot be played. */
function ArticleVideo({ video }: { video: Video }) {
  const player = useRef<HTMLVideoElement>(null);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    // If the video failed before hydration, `onError` never fires.
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

function GalleryImage({ image, alone }: { image: PageImage; alone: boolean }) {
  return (
    // The pocket shows the whole image; the link opens it at full size.
    <a href={image.src} className="gallery-pocket">
      <img
        src={image.src}
        srcSet={image.srcSet}
        sizes={
          alone
            ? '(min-width: 52.5rem) 43rem, calc(100vw - 110px)'
            : '(min-width: 52.5rem) 21rem, (min-width: 40rem) 45vw, calc(100vw - 110px)'
        }
        width={image.width}
        height={image.height}
        alt={image.alt || 'Image without a description'}
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
      {caption === '' ? null : <Caption>{caption}</Caption>}
    </figure>
  );
}

/** An article's images and videos, in the pockets of a binder page. */
function ArticleGallery({ items }: { items: GalleryItem[] }) {
  if (items.length === 0) return null;
  const alone = items.length === 1;
  return (
    <section aria-label="Media" className="mt-10">
      <ul className={`binder grid gap-4 ${alone ? '' : 'sm:grid-cols-2'}`}>
        {items.map((item) => (
          <li key={item.id} className="min-w-0">
            <Captioned caption={item.caption}>
              {item.kind === 'image' ? (
                <GalleryImage image={item.image} alone={alone} />
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

/** The name of an article's `StaticHtml`. */
export function articleHtmlName(id: string): string {
  return `article-${id}`;
}

/** An article as readers see it. `children`: shown below its text and gallery. */
export function ArticleCard({ article, children }: { article: ArticleView; children?: ReactNode }) {
  return (
    <article className="mt-3 rounded-card border border-line bg-surface p-5 shadow-card sm:p-10">
      <ArticleHeader article={article} />
      <StaticHtml
        name={articleHtmlName(article.id)}
        html={article.html}
        className="article-body article-page mt-7"
      />
      <ArticleGallery items={article.gallery} />
      {children}
    </article>
  );
}

import { Link } from '@remix-run/react';
import { Badge } from '~/components/ui/badge';
import type { Story, Picture } from './story';

/** Who wrote it, how long it takes, and since when it stands: printed small at a card's foot. */
export function StoryFacts({ story }: { story: Story }) {
  const { author, readTime, published } = story;
  return (
    <p className="mt-auto flex flex-wrap justify-between gap-x-4 pt-3 text-small tracking-[0.02em] [overflow-wrap:anywhere] text-soft">
      <span>
        {author} · {readTime}
      </span>
      <time dateTime={published.iso}>{published.text}</time>
    </p>
  );
}

/** The one link of a story's card; it reaches over the whole card. */
export function StoryLink({ story }: { story: Story }) {
  return (
    <Link
      to={`/news/${story.id}`}
      prefetch="intent"
      className="no-underline after:absolute after:inset-0 after:rounded-card group-hover:text-brand"
    >
      {story.title}
    </Link>
  );
}

/**
 * A story's picture in a box that never changes its shape. The placeholder lies beneath: it is what shows when there is
 * no picture, while it loads, and when its file is gone. The story's title stands beside it, so it needs no words.
 */
export function StoryPicture({
  picture,
  sizes,
  eager = false,
}: {
  picture: Picture | null;
  sizes: string;
  eager?: boolean;
}) {
  return (
    <div className="story-picture">
      {picture === null ? null : (
        <img
          src={picture.src}
          srcSet={picture.srcSet}
          sizes={picture.srcSet === undefined ? undefined : sizes}
          width={picture.width}
          height={picture.height}
          alt=""
          loading={eager ? undefined : 'lazy'}
          decoding="async"
        />
      )}
    </div>
  );
}

/** A story as a card. */
export function StoryCard({ story }: { story: Story }) {
  return (
    <article className="group relative flex h-full flex-col overflow-clip rounded-card border border-line bg-surface shadow-card hover:border-soft">
      <StoryPicture
        picture={story.picture}
        sizes="(min-width: 64rem) 352px, (min-width: 40rem) 50vw, calc(100vw - 40px)"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-2.5 p-5">
        {story.featured ? (
          <p>
            <Badge>Featured</Badge>
          </p>
        ) : null}
        <h3 className="text-lead">
          <StoryLink story={story} />
        </h3>
        <p className="text-soft">{story.summary}</p>
        <StoryFacts story={story} />
      </div>
    </article>
  );
}

/** The story that the first page opens with. */
export function FeaturedStory({ story }: { story: Story }) {
  return (
    <section aria-labelledby="featured-story" className="mt-8">
      <h2 id="featured-story" className="text-title">
        Featured Story
      </h2>
      <article className="group relative mt-4 grid grid-cols-1 overflow-clip rounded-card border border-line bg-surface shadow-card hover:border-soft lg:grid-cols-[1.15fr_1fr]">
        <StoryPicture picture={story.picture} sizes="(min-width: 64rem) 600px, calc(100vw - 40px)" eager />
        <div className="flex min-w-0 flex-col gap-3 p-5 sm:p-7">
          <p>
            <Badge>Featured</Badge>
          </p>
          <h3 className="text-title">
            <StoryLink story={story} />
          </h3>
          <p className="text-soft">{story.summary}</p>
          <StoryFacts story={story} />
        </div>
      </article>
    </section>
  );
}

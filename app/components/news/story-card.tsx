import { Link } from '~/components/ui/button';
import { Badge } from '~/components/ui/badge';
import type { Story, PageImage } from './story';

/** The small line at a story's foot: author, reading time and date. */
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

/** The only link of a story's card; its area covers the whole card. */
function StoryLink({ story }: { story: Story }) {
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

interface StoryImageProps {
  image: PageImage | null;
  sizes: string;
  /** Whether it is seen before the page is scrolled. */
  isFirst?: boolean;
}

/** A story's image in a box of fixed shape, over a placeholder. Decorative, because the title is next to it. */
export function StoryImage({ image, sizes, isFirst = false }: StoryImageProps) {
  return (
    <div className="story-image">
      {image === null ? null : (
        <img
          src={image.src}
          srcSet={image.srcSet}
          sizes={image.srcSet === undefined ? undefined : sizes}
          width={image.width}
          height={image.height}
          alt=""
          loading={isFirst ? 'eager' : 'lazy'}
          decoding="async"
        />
      )}
    </div>
  );
}

/** A story's card. */
export function StoryCard({ story, isFirst = false }: { story: Story; isFirst?: boolean }) {
  return (
    <article className="group relative flex h-full flex-col overflow-clip rounded-card border border-line bg-surface shadow-card hover:border-soft">
      <StoryImage
        image={story.image}
        sizes="(min-width: 64rem) 352px, (min-width: 40rem) 50vw, calc(100vw - 40px)"
        isFirst={isFirst}
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

/** The featured story at the top of the first page. */
export function FeaturedStory({ story }: { story: Story }) {
  return (
    <section aria-labelledby="featured-story" className="mt-8">
      <h2 id="featured-story" className="text-title">
        Featured Story
      </h2>
      <article className="group relative mt-4 grid grid-cols-1 overflow-clip rounded-card border border-line bg-surface shadow-card hover:border-soft lg:grid-cols-[1.15fr_1fr]">
        <StoryImage image={story.image} sizes="(min-width: 64rem) 600px, calc(100vw - 40px)" isFirst />
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

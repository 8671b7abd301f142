import { Badge } from '~/components/ui/badge';
import type { Story } from './story';
import { StoryFacts } from './story-facts';
import { StoryLink } from './story-link';
import { StoryPicture } from './story-picture';

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

/** An empty pocket: nothing has been put in yet. */
function NoStories({ failed }: { failed: boolean }) {
  return (
    <section className="mt-8 rounded-card border border-dashed border-soft px-6 py-14 text-center">
      <h2 className="text-title">No Stories Yet</h2>
      <p className="mt-2.5 text-soft">
        {failed
          ? 'We could not read the news just now. Try again in a moment.'
          : 'The first one will be here as soon as it is written.'}
      </p>
    </section>
  );
}

/** The stories of a page under their heading. `empty`: the page shows no other story either. */
export function StoryList({
  title,
  stories,
  empty,
  failed,
}: {
  title: string;
  stories: Story[];
  empty: boolean;
  failed: boolean;
}) {
  if (stories.length === 0) return empty ? <NoStories failed={failed} /> : null;
  return (
    <section aria-labelledby="stories" className="mt-10">
      <h2 id="stories" className="text-title">
        {title}
      </h2>
      <ul className="mt-4 grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {stories.map((story) => (
          <li key={story.id}>
            <StoryCard story={story} />
          </li>
        ))}
      </ul>
    </section>
  );
}

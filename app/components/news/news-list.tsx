import { FEED_PATH } from '~/components/site/page-meta';
import { Kept } from '~/components/site/kept';
import { icon } from '~/components/ui/icons';
import type { Story } from './story';
import { StoryCard } from './story-card';

const FeedIcon = icon('M4 4a12 12 0 0 1 12 12M4 9.5a6.5 6.5 0 0 1 6.5 6.5M5 15v.1');

/** The heading of the news page, with the link to the feed. */
export function NewsHeader() {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div>
        <h1 className="text-heading">Latest News</h1>
        <p className="mt-2.5 max-w-[40em] text-soft">Restocks, releases, and what we are changing.</p>
      </div>
      <a
        href={FEED_PATH}
        type="application/atom+xml"
        className="inline-flex min-h-8 items-center gap-2 font-[550] no-underline hover:text-brand"
      >
        <FeedIcon /> News feed
      </a>
    </div>
  );
}

function NoStories({ failed }: { failed: boolean }) {
  return (
    <section className="mt-8 rounded-card border border-dashed border-soft px-6 py-14 text-center">
      <h2 className="text-title">No Stories Yet</h2>
      <p className="mt-2.5 text-soft">
        {failed
          ? 'The news couldn’t be loaded. Try again in a moment.'
          : 'The first one will be here as soon as it is written.'}
      </p>
    </section>
  );
}

interface StoryListProps {
  title: string;
  stories: Story[];
  empty: boolean;
  failed: boolean;
}

/** A page's stories under a heading. `empty`: the page has no featured story either. `failed`: they could not be loaded. */
export function StoryList({ title, stories, empty, failed }: StoryListProps) {
  if (stories.length === 0) return empty ? <NoStories failed={failed} /> : null;
  return (
    <section aria-labelledby="stories" className="mt-10">
      <h2 id="stories" className="text-title">
        {title}
      </h2>
      <ul className="mt-4 grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {stories.map((story, at) => (
          <Kept key={story.id} of={story}>
            <StoryCard story={story} isFirst={empty && at === 0} />
          </Kept>
        ))}
      </ul>
    </section>
  );
}

import { FEED_PATH } from '~/components/page-meta';
import { FeedIcon } from '~/components/ui/icons';

/** What this page is, and how to follow it from elsewhere. */
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

import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { SECOND } from '#shared/clock';
import { clockMinute } from '~/components/time/time-format';
import { useRefreshed } from '~/components/monitor/use-refreshed';
import { appUrlOf, pageMeta } from '~/components/site/page-meta';
import { PageNav } from '~/components/page/page-nav';
import type { PageHandle } from '~/components/site/page-handle';
import { SiteFooter } from '~/components/page/site-footer';
import { Link } from '~/components/ui/button';
import { OfflineIcon } from '~/components/ui/icons';
import { OpeningTimesSection } from '~/components/status/opening-times';
import { PastAlerts } from '~/components/status/past-alerts';
import { FRESHNESS, META, PRODUCTS, WHEN } from '~/components/status/status-content';
import { answerOf, busiestHours, usually } from '~/components/status/status-view';
import { WatchCard } from '~/components/status/watch-card';
import { WatchList } from '~/components/status/watch-list';
import { statusAudience } from './status-audience.server';
import { readStatusPage, type StatusPage as StatusData } from './status-state.server';

const STATUS_PATH = '/status.json';
/** With the server's cache, what the page says about its age. */
const REFRESH_MS = 5 * SECOND;

export const handle: PageHandle = { footer: 'own' };

export async function loader({ request }: LoaderFunctionArgs) {
  const page = await readStatusPage(
    await statusAudience(request),
    new URL(request.url).searchParams.get('watch'),
  );
  if (page === null) throw redirect('/status');
  return page;
}

// One canonical address: the pages of the watches differ in one section only.
export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ ...META, path: '/status', appUrl: appUrlOf(matches) });

export default function StatusPage() {
  const loaded = useLoaderData<typeof loader>();
  const { lost, status, selected, openings, products } = useRefreshed<StatusData>(
    `/live/status.json?watch=${loaded.selected.slug}`,
    loaded,
    () => REFRESH_MS,
  ) ?? { ...loaded, lost: false };
  const [busiest] = busiestHours(openings, 1);
  const { watches, alerts, now } = status;
  const nowMs = Date.parse(now);
  // The selected watch first, then every other open waiting room.
  const cards = [
    ...watches.filter(({ slug }) => slug === selected.slug),
    ...watches.filter(({ slug, state }) => slug !== selected.slug && state === 'waiting_room').slice(0, 5),
  ];
  const titles = new Map(watches.map(({ slug, title }) => [slug, title]));
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap grid gap-12 pt-8 pb-12 outline-none lg:pt-12">
        <div>
          <div className="flex min-h-[2lh] flex-wrap gap-x-6 text-small sm:min-h-[1lh]">
            <p className="text-soft">
              Status at <time dateTime={now}>{clockMinute(now)}</time>
            </p>
            {lost ? (
              <p role="status" className="flex items-start gap-2 font-semibold text-unknown">
                <OfflineIcon />
                <span>Not up to date: the connection is interrupted. We keep trying.</span>
              </p>
            ) : null}
          </div>
          <h1
            className="mt-1 min-h-[3lh] wrap-anywhere text-heading sm:min-h-[2lh] lg:min-h-[1lh]"
            data-answer
          >
            {answerOf(status)}
          </h1>
          {busiest === undefined ? null : (
            <p className="mt-3 wrap-anywhere text-soft sm:text-lead">{usually(selected.title, busiest)}</p>
          )}
          <div className={`binder mt-6 grid gap-3.5 ${watches.length > 1 ? 'md:grid-cols-2' : ''}`}>
            {cards.map((watch) => (
              <WatchCard key={watch.slug} watch={watch} nowMs={nowMs} lost={lost} />
            ))}
          </div>
        </div>
        <OpeningTimesSection openings={openings} words={{ ...WHEN, subject: selected.title }} />
        {watches.length > 1 ? <WatchList watches={watches} selected={selected.slug} nowMs={nowMs} /> : null}
        <PastAlerts alerts={alerts} titles={titles} />
        {products === null || products.total === 0 ? null : (
          <p>
            {PRODUCTS.counted(products)}{' '}
            <Link to="/restock" className="font-semibold text-brand underline underline-offset-4">
              {PRODUCTS.all}
            </Link>
          </p>
        )}
        <p className="text-small text-soft">
          {FRESHNESS} The same for programs:{' '}
          <a href={STATUS_PATH} className="underline underline-offset-4">
            status.json
          </a>
        </p>
      </main>
      <SiteFooter />
    </>
  );
}

import type { PublicWatch } from '#shared/status/read-public-status';
import { StatePill } from '~/components/monitor/state-pill';
import { clockSecond, elapsed } from '~/components/time/time-format';
import { useNow } from '~/components/time/dates';
import { buttonClass, Link } from '~/components/ui/button';
import { Card } from '~/components/ui/card';
import { NOW } from './status-content';
import { describeWatch, share } from './status-view';

function Health({ name, checks }: { name: string; checks: PublicWatch['checks']['day'] }) {
  const { total, conclusive } = checks;
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1.5">
      <dt className="text-soft">{name}</dt>
      <dd className="text-right">
        {total === 0 ? (
          NOW.health.none
        ) : (
          <>
            <span className="font-semibold">{share(checks)}</span>{' '}
            <span className="inline-block text-small whitespace-nowrap text-soft">
              {conclusive.toLocaleString('en-GB')} of {total.toLocaleString('en-GB')}
            </span>
          </>
        )}
      </dd>
      <dd aria-hidden="true" className="col-span-full">
        <svg
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
          className="block h-1 w-full overflow-hidden rounded-full"
        >
          <rect width="100" height="4" className="fill-line" />
          <rect
            width={total === 0 ? 0 : Math.round((conclusive / total) * 1_000) / 10}
            height="4"
            className="fill-open"
          />
        </svg>
      </dd>
    </div>
  );
}

/** How long a waiting room has been open; counts each second, except while the state is not up to date. */
function LiveFor({ since, now, lost }: { since: string; now: string; lost: boolean }) {
  const running = useNow(now);
  return (
    <p className="font-display text-heading font-bold tracking-[-0.02em]">
      Live for{' '}
      <time dateTime={since} className="whitespace-nowrap">
        {elapsed(since, lost ? Date.parse(now) : running)}
      </time>
    </p>
  );
}

/** The state of one watch, with the share of its checks that were conclusive. */
export function WatchCard({ watch, nowMs, lost }: { watch: PublicWatch; nowMs: number; lost: boolean }) {
  const view = describeWatch(watch, nowMs);
  const isOpen = view.state === 'waiting_room';
  return (
    <Card edge={isOpen ? 'foil' : 'plain'} label={watch.title}>
      <div className="@container p-5 sm:p-6">
        <div className="grid gap-x-10 gap-y-4 @2xl:grid-cols-2">
          <div
            className="flex flex-wrap @2xl:col-span-full items-center justify-between gap-x-4 gap-y-2"
            data-state={view.state}
          >
            <StatePill state={view.state} label={view.label} />
            {watch.lastCheck === null ? null : (
              <p className="text-small text-soft">
                Checked at <time dateTime={watch.lastCheck}>{clockSecond(watch.lastCheck)}</time>
              </p>
            )}
          </div>
          <div className="grid content-start gap-4">
            <div>
              <h2 className="text-title wrap-anywhere">{watch.title}</h2>
              {/* With the space of an open waiting room, so that nothing below it moves when one opens. */}
              <div className="mt-1.5 grid min-h-[5.5rem] content-start gap-1.5">
                <p className="text-soft">{view.detail}</p>
                {isOpen && watch.since !== null ? (
                  <LiveFor since={watch.since} now={new Date(nowMs).toISOString()} lost={lost} />
                ) : null}
              </div>
            </div>
            <p>
              <Link
                to={`/restock/${watch.slug}`}
                prefetch="intent"
                className={buttonClass(isOpen ? 'primary' : 'plain')}
              >
                {isOpen ? NOW.go : NOW.page}
              </Link>
            </p>
          </div>
          <div className="border-t border-line pt-4 @2xl:border-t-0 @2xl:pt-0">
            <h3 className="text-small font-[650] tracking-[0.02em]">{NOW.health.title}</h3>
            <dl className="mt-2.5 grid gap-3">
              <Health name={NOW.health.day} checks={watch.checks.day} />
              <Health name={NOW.health.ninetyDays} checks={watch.checks.ninetyDays} />
            </dl>
          </div>
        </div>
      </div>
    </Card>
  );
}

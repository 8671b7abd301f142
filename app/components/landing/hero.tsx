import { LiveCard, type LiveMonitor } from '~/components/monitor/live-card';
import { ButtonLink } from '~/components/ui/button-link';
import { Card } from '~/components/ui/card';
import { HERO, NO_LIVE_STATE } from './landing-content';
import { ledeOf, type WatchedHours } from './lede';
import { RequestAccess } from './request-access';

function watchedHours({ status, hoursInWords }: LiveMonitor): WatchedHours {
  const { running, intervalSeconds } = status.scheduler;
  return { running, online: status.daemon.online, intervalSeconds, hoursInWords };
}

function NoLiveState() {
  return (
    <Card label={NO_LIVE_STATE.label}>
      <div className="grid gap-2 p-6">
        <h2 className="text-lead">{NO_LIVE_STATE.title}</h2>
        <p className="text-soft">{NO_LIVE_STATE.text}</p>
      </div>
    </Card>
  );
}

/**
 * The promise in one line, and beside it the proof. Both start at the top: a page is painted while it is still
 * arriving, and a promise centred beside a card that grows would move.
 */
export function Hero({ live }: { live: LiveMonitor | null }) {
  return (
    <div className="wrap grid items-start gap-x-12 gap-y-9 pt-10 pb-14 lg:grid-cols-[1.1fr_0.9fr] lg:pt-18">
      <div className="lg:pt-20">
        <h1 className="text-hero font-extrabold">{HERO.promise}</h1>
        <p className="mt-5 max-w-[34em] text-soft sm:text-lead">
          {ledeOf(live === null ? null : watchedHours(live))}
        </p>
        <p className="mt-7 flex flex-wrap gap-3">
          <RequestAccess look="foil" />
          <ButtonLink href={HERO.secondary.href}>{HERO.secondary.name}</ButtonLink>
        </p>
      </div>
      <div className="binder">{live === null ? <NoLiveState /> : <LiveCard live={live} />}</div>
    </div>
  );
}

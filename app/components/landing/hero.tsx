import { type LiveMonitor, LiveCard, NoLiveCard } from '~/components/monitor/live-card';
import { everyInterval, inZone } from '~/components/time/time-format';
import { ButtonLink } from '~/components/ui/button';
import { HERO } from './landing-content';
import { RequestAccess } from './request-access';

/** Returns the lede for the monitor's current state; `live` is null if it could not be read. */
export function ledeOf(live: LiveMonitor | null): string {
  const { lede } = HERO;
  if (live === null) return lede.notKnown;
  const { scheduler, daemon, withinHours } = live.status;
  if (!scheduler.running) return lede.switchedOff;
  if (!daemon.online) return lede.interrupted;
  const facts = {
    every: everyInterval(scheduler.intervalSeconds),
    hours: inZone(live.hoursInWords, live.timeZone),
  };
  return withinHours ? lede.checking(facts) : lede.outsideHours(facts);
}

/** The headline and the live card, both at the top: a centred headline would move as the card grows while it arrives. */
export function Hero({ live }: { live: LiveMonitor | null }) {
  return (
    <div className="wrap grid items-start gap-x-12 gap-y-9 pt-10 pb-14 lg:grid-cols-[1.1fr_0.9fr] lg:pt-18">
      <div className="lg:pt-20">
        <h1 className="text-hero font-extrabold">{HERO.promise}</h1>
        <p className="mt-5 max-w-[34em] text-soft sm:text-lead">
          {ledeOf(live)} {HERO.lede.pro}
        </p>
        <p className="mt-7 flex flex-wrap gap-3">
          <RequestAccess variant="foil" />
          <ButtonLink href={HERO.secondary.href}>{HERO.secondary.name}</ButtonLink>
        </p>
      </div>
      <div className="binder">{live === null ? <NoLiveCard /> : <LiveCard live={live} />}</div>
    </div>
  );
}

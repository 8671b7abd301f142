import { describeDuration, MINUTE } from '#shared/clock';
import { silenceLimitMs } from '#shared/monitor/silence-limit';
import { clockAndDay, clockSecond } from '~/components/time/time-format';
import { OfflineIcon } from '~/components/ui/icons';
import { Notice } from '~/components/ui/notice';
import { useNow } from '~/components/time/dates';
import type { LiveWatch } from './live-watch';

/** After a failed refresh, an older state is shown as outdated. */
const OUTDATED_MS = MINUTE;

/** What keeps a running watch from sending alerts, and whether the screen itself is up to date. */
export function Warnings({ live, hasInstantWebhook }: { live: LiveWatch; hasInstantWebhook: boolean }) {
  const nowMs = useNow(live.now);
  const { scheduler, daemon, silent, lastReason } = live.status;
  const outdated = live.lost === true && nowMs - Date.parse(live.now) > OUTDATED_MS;
  const beat = daemon.lastHeartbeat;
  return (
    <>
      {outdated ? (
        <p role="status" className="flex items-start gap-2 font-semibold text-unknown">
          <OfflineIcon />
          <span>
            Not up to date: this is how it was at <time dateTime={live.now}>{clockSecond(live.now)}</time>. We
            keep trying.
          </span>
        </p>
      ) : null}
      {!daemon.online ? (
        <Notice kind="error">
          The daemon does not answer
          {beat === null ? '' : ` since ${clockAndDay(beat, nowMs)}`}:{' '}
          {scheduler.running
            ? 'nothing is checked and no alert goes out.'
            : 'sign-in codes, other mails and payments wait for it.'}{' '}
          Start it again; its log says why it stopped.
        </Notice>
      ) : silent ? (
        <Notice kind="error">
          No check has been conclusive for {describeDuration(silenceLimitMs(scheduler))} or more, so an alert
          may be missed.
          {lastReason === null ? '' : ` The last one: ${lastReason}`}
        </Notice>
      ) : null}
      {scheduler.running && !hasInstantWebhook ? (
        <Notice kind="error">
          No instant webhook is set, so an alert is not posted to Discord. Set it under “Where alerts go”.
        </Notice>
      ) : null}
    </>
  );
}

import { useSearchParams } from '@remix-run/react';
import { SECOND, MINUTE, describeDuration } from '#shared/clock';
import type { Audience, WebhookView } from '#shared/alerts/webhooks/webhooks';
import { AdminSection } from '~/components/admin/admin-section';
import { DebugDialog, type DebugData } from '~/components/monitor/debug-dialog';
import { historyAddress, liveAddress, MONITOR_PATH } from '~/components/monitor/monitor-addresses';
import { historyRefreshMs, nextRefreshMs, useRefreshed } from '~/components/monitor/use-refreshed';
import { WatchHistoryPanel, type WatchHistory } from '~/components/monitor/watch-history';
import { CheckPanel } from '~/components/monitor/products/check-panel';
import { WatchActions } from '~/components/monitor/watches/watch-actions';
import { summariseDeliveries } from './delivery-summary';
import { DeleteWebhookDialog } from './delete-webhook';
import { StatusCards } from './status-cards';
import { hoursText } from '#shared/monitor/hours-text';
import { LastAlertPanel } from './last-alert';
import type { LiveWatch, MonitoredWatch, WatchSettings } from './live-watch';
import { SettingsPanel } from './settings-panel';
import { WebhooksPanel } from './webhooks-panel';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, ButtonLink } from '~/components/ui/button';
import { TestOutcome, type TestDetails } from './test-result';
import { silenceLimitMs } from '#shared/monitor/silence-limit';
import { clockAndDay, clockSecond } from '~/components/time/time-format';
import { OfflineIcon } from '~/components/ui/icons';
import { Notice } from '~/components/ui/notice';
import { useNow } from '~/components/time/dates';

const OUTDATED_MS = MINUTE;

/** The reasons why a running watch sends no alerts, and whether the screen is up to date. */
function Warnings({ live, hasInstantWebhook }: { live: LiveWatch; hasInstantWebhook: boolean }) {
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
            Not up to date: last updated at <time dateTime={live.now}>{clockSecond(live.now)}</time>. We keep
            trying.
          </span>
        </p>
      ) : null}
      {!daemon.online ? (
        <Notice kind="error">
          The daemon does not answer
          {beat === null ? '' : ` since ${clockAndDay(beat, nowMs)}`}:{' '}
          {scheduler.running
            ? 'nothing is checked and no alert goes out.'
            : 'sign-in codes, other emails and payments wait for it.'}{' '}
          Start it again; its log says why it stopped.
        </Notice>
      ) : silent ? (
        <Notice kind="error">
          No check has been conclusive for{' '}
          {describeDuration(
            silenceLimitMs({ ...scheduler, kind: live.offer === null ? 'waiting_room' : 'product' }),
          )}{' '}
          or more, so an alert may be missed.
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

const INTENTS = ['start', 'stop', 'check', 'test'];

/** The buttons of a watch: Stop or Start, Check now, Send test alert, Latest Debug Data. */
function Controls({ live, path }: { live: LiveWatch; path: string }) {
  const { Form, result, pendingIntent } = useForms<TestDetails>(
    INTENTS,
    ({ intent, details, values }) => intent !== 'test' || (details?.from ?? values?.from) === 'bar',
  );
  const { running } = live.status.scheduler;
  return (
    <div className="grid gap-3">
      <Form method="post" preventScrollReset className="flex flex-wrap items-center gap-2.5">
        <input type="hidden" name="audience" value="instant" />
        <input type="hidden" name="from" value="bar" />
        {running ? (
          <Button name="intent" value="stop" pending={pendingIntent === 'stop'}>
            Stop
          </Button>
        ) : (
          <Button name="intent" value="start" pending={pendingIntent === 'start'}>
            Start
          </Button>
        )}
        <Button variant="primary" name="intent" value="check" pending={pendingIntent === 'check'}>
          Check now
        </Button>
        <Button name="intent" value="test" pending={pendingIntent === 'test'}>
          Send test alert
        </Button>
        <ButtonLink href={`${path}?debug=1`}>Latest Debug Data</ButtonLink>
      </Form>
      {pendingIntent === 'check' ? (
        <p role="status" className="text-small text-soft">
          Checking the shop. This can take up to 25 seconds.
        </p>
      ) : null}
      <FormNotice result={result} />
      <TestOutcome result={result} />
    </div>
  );
}

/** Polls while messages are being sent. */
const BUSY_INTERVAL_MS = 5 * SECOND;

export interface WatchScreenData {
  watch: MonitoredWatch;
  /** The address of the screen. */
  path: string;
  live: LiveWatch;
  settings: WatchSettings;
  /** Null if they could not be read. */
  webhooks: WebhookView[] | null;
  history: WatchHistory | null;
  /** The audience whose webhook the dialog of `?delete-webhook=` asks about; null while it is closed. */
  deletingWebhook: Audience | null;
  /** The dialog that `?debug=1` opens; null while it is closed. */
  debug: DebugData | null;
}

/** The heading of a watch's screen: "Pokemon Center UK Monitor". */
export function watchTitle({ title }: Pick<MonitoredWatch, 'title'>): string {
  return `${title} Monitor`;
}

function refreshMs(live: LiveWatch | null): number {
  const busy = live?.alert != null && summariseDeliveries(live.alert).tone === 'busy';
  return busy ? Math.min(BUSY_INTERVAL_MS, nextRefreshMs(live)) : nextRefreshMs(live);
}

/** The history depends only on `before`. */
function useHistorySearch(): string {
  const [search] = useSearchParams();
  const before = search.get('before');
  return before === null ? '' : `?${new URLSearchParams({ before })}`;
}

interface WatchingProps {
  live: LiveWatch;
  settings: WatchSettings;
  timeZone: string;
}

function Watching({ live, settings, timeZone }: WatchingProps) {
  const hours = hoursText(settings.hoursInWords, timeZone);
  return live.status.scheduler.running ? (
    <>
      Watching {hours}, every {settings.intervalSeconds} s.
    </>
  ) : (
    <>
      Stopped: no checks run and no alerts go out. Monitoring hours: {hours}. You can run a check at any time.
    </>
  );
}

/** The screen of a watch. */
export function WatchScreen({ screen }: { screen: WatchScreenData }) {
  const { watch, path, settings, webhooks } = screen;
  const live = useRefreshed(liveAddress(watch.slug), screen.live, refreshMs) ?? screen.live;
  const history = useRefreshed(historyAddress(watch.slug, useHistorySearch()), screen.history, (newest) =>
    historyRefreshMs(newest, live.status.lastCheck),
  );
  const instant = webhooks?.find(({ audience }) => audience === 'instant');
  const hasInstantWebhook = instant === undefined || instant.webhook !== null || instant.inherited !== null;
  return (
    <AdminSection
      heading={watchTitle(watch)}
      first={
        <>
          {screen.deletingWebhook === null ? null : (
            <DeleteWebhookDialog
              audience={screen.deletingWebhook}
              title={watch.title}
              isProduct={live.offer !== null}
              leaveTo={path}
            />
          )}
          {screen.debug === null ? null : <DebugDialog debug={screen.debug} leaveTo={path} />}
          <StatusCards live={live} />
        </>
      }
      intro={<Watching live={live} settings={settings} timeZone={watch.timeZone} />}
    >
      <div className="grid gap-5">
        <WatchActions
          slug={watch.slug}
          isOnly={path === MONITOR_PATH}
          permanent={watch.permanent}
          offer={live.offer}
        />
        <Controls live={live} path={path} />
        <Warnings live={live} hasInstantWebhook={hasInstantWebhook} />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1.9fr)_minmax(0,1fr)] lg:grid-rows-[auto_auto_1fr]">
          <div className="min-w-0 lg:col-start-2 lg:row-start-1">
            <LastAlertPanel live={live} path={path} />
          </div>
          <div className="grid min-w-0 gap-5 lg:col-start-1 lg:row-span-3 lg:row-start-1">
            <WatchHistoryPanel history={history} path={path} />
          </div>
          <div className="grid min-w-0 gap-5">
            {live.offer === null ? null : <CheckPanel offer={live.offer} />}
            <WebhooksPanel webhooks={webhooks} live={live} path={path} />
          </div>
          <div className="min-w-0">
            <SettingsPanel settings={settings} timeZone={watch.timeZone} />
          </div>
        </div>
      </div>
    </AdminSection>
  );
}

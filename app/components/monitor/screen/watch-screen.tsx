import { useSearchParams } from '@remix-run/react';
import { SECOND, MINUTE } from '#shared/clock';
import type { Audience, WebhookView } from '#shared/alerts/webhooks/webhooks';
import { AdminSection } from '~/components/admin/admin-section';
import { DebugDialog, type DebugData } from '~/components/monitor/debug-dialog';
import { historyAddress, liveAddress, MONITOR_PATH } from '~/components/monitor/monitor-addresses';
import { nextRefreshMs, useRefreshed } from '~/components/monitor/use-refreshed';
import { WatchHistoryPanel, type WatchHistory } from '~/components/monitor/watch-history';
import { WatchActions } from '~/components/monitor/watches/watch-actions';
import { summariseDeliveries } from './delivery-summary';
import { Controls } from './controls';
import { DeleteWebhookDialog } from './delete-webhook';
import { StatusCards } from './status-cards';
import { hoursText } from '#shared/monitor/hours-text';
import { LastAlertPanel } from './last-alert';
import type { LiveWatch, MonitoredWatch, WatchSettings } from './live-watch';
import { SettingsPanel } from './settings-panel';
import { Warnings } from './warnings';
import { WebhooksPanel } from './webhooks-panel';

const HISTORY_INTERVAL_MS = MINUTE;
/** While messages are on their way, the admin waits for them. */
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

/** `before` is the only part of the query that the history depends on. */
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
  const history = useRefreshed(
    historyAddress(watch.slug, useHistorySearch()),
    screen.history,
    () => HISTORY_INTERVAL_MS,
  );
  const instant = webhooks?.find(({ audience }) => audience === 'instant');
  return (
    <AdminSection
      heading={watchTitle(watch)}
      first={
        <>
          {screen.deletingWebhook === null ? null : (
            <DeleteWebhookDialog audience={screen.deletingWebhook} watch={watch} leaveTo={path} />
          )}
          {screen.debug === null ? null : <DebugDialog debug={screen.debug} leaveTo={path} />}
          <StatusCards live={live} />
        </>
      }
      intro={<Watching live={live} settings={settings} timeZone={watch.timeZone} />}
    >
      <div className="grid gap-5">
        <WatchActions slug={watch.slug} isOnly={path === MONITOR_PATH} permanent={watch.permanent} />
        <Controls live={live} path={path} />
        <Warnings live={live} hasInstantWebhook={instant === undefined || instant.webhook !== null} />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1.9fr)_minmax(0,1fr)] lg:grid-rows-[auto_auto_1fr]">
          <div className="min-w-0 lg:col-start-2 lg:row-start-1">
            <LastAlertPanel live={live} path={path} />
          </div>
          <div className="grid min-w-0 gap-5 lg:col-start-1 lg:row-span-3 lg:row-start-1">
            <WatchHistoryPanel history={history} path={path} />
          </div>
          <div className="min-w-0">
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

import { useLocation } from '@remix-run/react';
import { MINUTE } from '#shared/clock';
import { DebugDialog, type DebugData } from '~/components/monitor/debug-dialog';
import { historyAddress, liveAddress } from '~/components/monitor/monitor-addresses';
import { nextRefreshMs } from '~/components/monitor/use-live-monitor';
import { WatchHistoryPanel, type WatchHistory } from '~/components/monitor/watch-history';
import type { ShownWebhook } from '#shared/alerts/webhooks';
import { Controls } from './controls';
import type { LiveWatch, ShownWatch, WatchSettings } from './live-watch';
import { useRefreshed } from '~/components/monitor/use-refreshed';

const HISTORY_EVERY_MS = MINUTE;

export interface WatchScreenData {
  watch: ShownWatch;
  /** The address of the screen. */
  path: string;
  live: LiveWatch;
  settings: WatchSettings;
  /** Null if they could not be read. */
  webhooks: ShownWebhook[] | null;
  history: WatchHistory | null;
  /** The dialog that `?debug=1` opens; null while it is closed. */
  debug: DebugData | null;
}

/** The screen of a watch, below its heading. */
export function WatchScreen({ screen }: { screen: WatchScreenData }) {
  const { watch, path, settings } = screen;
  const { search } = useLocation();
  const live = useRefreshed(liveAddress(watch.slug), screen.live, nextRefreshMs) ?? screen.live;
  const history = useRefreshed(historyAddress(watch.slug, search), screen.history, () => HISTORY_EVERY_MS);
  return (
    <div className="grid gap-5">
      {screen.debug === null ? null : <DebugDialog debug={screen.debug} leaveTo={path} />}
      <Controls live={live} settings={settings} />
      <WatchHistoryPanel history={history} path={path} />
    </div>
  );
}

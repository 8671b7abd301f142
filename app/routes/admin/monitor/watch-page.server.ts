import { redirect } from '@remix-run/node';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { listRecentAlerts, type AlertView } from '#shared/alerts/list-alerts';
import { AUDIENCES, listWebhooks, type Audience, type WebhookView } from '#shared/alerts/webhooks/webhooks';
import { toIso } from '#shared/clock';
import { readMemberResults } from '#shared/member-alerts/member-results';
import { findCheckDetails } from '#shared/monitor/checks/reading/check-details';
import { findHttpStatus } from '#shared/monitor/checks/reading/checks';
import { listMonitorSettings } from '#shared/monitor/monitor-settings';
import {
  DEFAULT_MONITORING_HOURS,
  describeHours,
  parseMonitoringHours,
} from '#shared/monitor/monitoring-hours';
import { readOfferFacts } from '#shared/monitor/products/list-shops';
import { findVerdictSpan, readMonitorStatus } from '#shared/monitor/read-status.server';
import { describeWatch } from '#shared/monitor/watches/describe-watch';
import { findWatch, listRoomWatches, type Watch } from '#shared/monitor/watches/watches';
import { beginningOf } from '~/components/monitor/check/raw-response';
import type { DebugData } from '~/components/monitor/debug-dialog';
import { STRIP_HOURS } from '~/components/monitor/live-card';
import { MONITOR_PATH } from '~/components/monitor/monitor-addresses';
import type {
  LastAlert,
  LiveOffer,
  LiveWatch,
  MonitoredWatch,
  WatchSettings,
} from '~/components/monitor/screen/live-watch';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';
import { readHistory } from './history.server';

/** The watch of `:slug`. Redirects to the list for an unknown one. */
export async function watchOrRedirect(slug: string | undefined): Promise<Watch> {
  const watch = await findWatch(serverContext().db, slug ?? '');
  if (watch === null) throw redirect(MONITOR_PATH);
  return watch;
}

/** The only watch; null when there are several. */
export async function findOnlyWatch(): Promise<Watch | null> {
  const watches = await listRoomWatches(serverContext().db);
  return watches.length === 1 ? (watches[0] ?? null) : null;
}

async function readLastAlert(watchId: string): Promise<LastAlert | null> {
  const { db } = serverContext();
  const [alert] = await listRecentAlerts(db, { limit: 1, watchId });
  if (alert === undefined) return null;
  const members = await loadOptional(async () => readMemberResults(db, { alertId: alert.id }));
  return { ...(alert satisfies AlertView), members };
}

/** What the watch of a product shows now. */
async function readLiveOffer(watch: Watch): Promise<LiveOffer | null> {
  const { db, clock, config } = serverContext();
  const { product } = await describeWatch({ db, clock, targetUrl: config.monitor.targetUrl }, watch);
  if (product === null) return null;
  const { seen, ...facts } = await readOfferFacts(db, watch);
  return { ...product, ...facts, seen };
}

/** What a watch shows now: its state, the daemon, and the last alert with its deliveries. */
export async function readLiveWatch(watch: Watch): Promise<LiveWatch> {
  const { db, clock } = serverContext();
  const now = clock.now();
  const asOf = { now: () => now };
  const [status, span, lastHttpStatus, alert, offer] = await Promise.all([
    readMonitorStatus(db, asOf, watch.id),
    findVerdictSpan(db, { hours: STRIP_HOURS, clock: asOf, watchId: watch.id }),
    watch.last_check_id === null ? null : findHttpStatus(db, watch.last_check_id),
    loadOptional(() => readLastAlert(watch.id)),
    watch.kind === 'product' ? readLiveOffer(watch) : null,
  ]);
  return {
    offer,
    status,
    span,
    lastHttpStatus,
    startedAt: watch.started_at,
    alert,
    now: toIso(now),
  };
}

async function readSettings(watch: Watch): Promise<WatchSettings> {
  const { rows } = await listMonitorSettings(serverContext().db, watch.id);
  const value = (key: string) => rows.find((row) => row.setting_key === key)?.setting_value ?? '';
  const hours = parseMonitoringHours(value('monitoring_hours')) ?? DEFAULT_MONITORING_HOURS;
  return {
    intervalSeconds: Number(value('check_interval_seconds')),
    hours,
    hoursInWords: describeHours(hours),
    scrappeyDailyLimit: Number(value('scrappey_daily_limit')),
    roleInstant: value('discord_role_id_instant'),
    roleFree: value('discord_role_id_free'),
  };
}

function readWebhooks(watch: Watch): Promise<WebhookView[]> {
  const { db, keyring } = serverContext();
  return listWebhooks({ db, keyring }, watch.id);
}

/** The data of the dialog that `?debug=1` opens; null while it is closed. */
async function readDebug(request: Request, watch: Watch): Promise<DebugData | null> {
  if (!new URL(request.url).searchParams.has('debug')) return null;
  const { id: watchId, slug, last_check_id: checkId } = watch;
  if (checkId === null) return { slug, latest: 'none' };
  const found = await loadOptional(async () => findCheckDetails(serverContext().db, { watchId, checkId }));
  if (found === null) return { slug, latest: 'failed' };
  const { body, ...latest } = found;
  const response = { checkId, length: latest.bodyLength, beginning: beginningOf(body) };
  return { slug, latest: { ...latest, response } };
}

/** The audience of `?delete-webhook=` while it has a webhook; else null. `webhooks`: null if they could not be read. */
export function deletedAudience(request: Request, webhooks: readonly WebhookView[] | null): Audience | null {
  const asked = new URL(request.url).searchParams.get('delete-webhook');
  const stored = webhooks?.find(({ audience }) => audience === asked);
  const isSet = stored === undefined ? webhooks === null : stored.webhook !== null || stored.fault !== null;
  return isSet ? (AUDIENCES.find((audience) => audience === asked) ?? null) : null;
}

/** Everything that the screen of a watch shows. `path`: the address of the screen. */
export async function readWatchScreen(request: Request, watch: Watch, path: string) {
  const shown: MonitoredWatch = {
    slug: watch.slug,
    title: watch.title,
    timeZone: watch.time_zone,
    permanent: watch.id === DEFAULT_WATCH_ID,
  };
  const [live, settings, webhooks, history, debug] = await Promise.all([
    readLiveWatch(watch),
    readSettings(watch),
    loadOptional(() => readWebhooks(watch)),
    loadOptional(() => readHistory(request, watch, path)),
    readDebug(request, watch),
  ]);
  const deletingWebhook = deletedAudience(request, webhooks);
  return { watch: shown, path, live, settings, webhooks, history, deletingWebhook, debug };
}

import { DEFAULT_WATCH_ID } from '#shared/brand';
import { describeDuration, systemClock } from '#shared/clock';
import { listWebhooks } from '#shared/alerts/webhooks/webhooks';
import type { Database } from '#shared/database/connection.server';
import type { Keyring } from '#shared/secrets.server';
import { readMonitorStatus } from '#shared/monitor/read-status.server';
import { DELIVERY_WORDS } from '#shared/alerts/deliveries/delivery-state';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import { readWatch } from '#shared/monitor/watches/watches';
import { describeHours, parseMonitoringHours } from '#shared/monitor/monitoring-hours';
import { silenceLimitMs } from '#shared/monitor/silence-limit';
import { formatAge, type CommandOutput } from '../terminal';
import { hoursText } from '#shared/monitor/hours-text';
import { terminalLine } from '#shared/terminal-text';

const STATE_LABELS = { open: 'open', waiting_room: 'WAITING ROOM', unknown: 'unknown' } as const;

/** `status`: the monitor's state, the daemon, the webhooks and the last alert with its deliveries. */
export async function showStatus(
  db: Database,
  keyring: Keyring,
  watchId: string = DEFAULT_WATCH_ID,
): Promise<CommandOutput> {
  const now = systemClock.now();
  const { time_zone: timeZone } = await readWatch(db, watchId);
  const status = await readMonitorStatus(db, systemClock, watchId);
  const webhooks = await listWebhooks({ db, keyring }, watchId);
  const [latest] = await listRecentAlerts(db, { limit: 1, watchId });
  const hours = parseMonitoringHours(status.window.hours);
  const rows: [string, string][] = [
    [
      'Monitoring',
      status.scheduler.running ? `running, every ${status.scheduler.intervalSeconds} s` : 'stopped',
    ],
    [
      'Hours',
      `${hoursText(hours === null ? status.window.hours : describeHours(hours), timeZone)}${status.withinHours ? '' : `, closed now; next ${status.window.nextOpening ?? ''}`}`,
    ],
    [
      'The shop shows',
      `${STATE_LABELS[status.state]}${status.lastReason === null ? '' : ` (${status.lastReason})`}`,
    ],
    [
      'Last check',
      `${formatAge(status.lastCheck, now)}${status.lastResponseMs === null ? '' : `, ${status.lastResponseMs} ms`}`,
    ],
    ['Next check', status.scheduler.nextCheck ?? 'none planned'],
    [
      'Daemon',
      `${status.daemon.online ? 'alive' : 'NOT RUNNING'}, heartbeat ${formatAge(status.daemon.lastHeartbeat, now)}`,
    ],
    ['Alert', status.alert === null ? 'none open' : `open since ${status.alert.openedAt}`],
  ];
  if (status.silent)
    rows.push([
      'Warning',
      `no conclusive check for ${describeDuration(silenceLimitMs(status.scheduler))} or more: alerts may be missed`,
    ]);
  for (const { audience, webhook, fault } of webhooks) {
    const note = fault === null ? '' : webhook === null ? ` (${fault})` : ` (refused: ${fault})`;
    rows.push([`Webhook ${audience}`, `${webhook ?? 'not set'}${note}`]);
  }
  if (latest !== undefined) {
    rows.push(['Last alert', `${latest.openedAt}, ${latest.status}`]);
    for (const delivery of latest.deliveries)
      rows.push([
        `  ${delivery.audience} by ${delivery.channel}`,
        `${DELIVERY_WORDS[delivery.state].toLowerCase()}${delivery.sentAt === null ? '' : ` at ${delivery.sentAt}`}${delivery.lastError === null ? '' : `, ${delivery.lastError}`}`,
      ]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  return {
    lines: rows.map(([name, value]) => `${name.padEnd(width)}  ${terminalLine(value)}`),
    json: { success: true, ...status, webhooks, lastAlert: latest ?? null },
  };
}

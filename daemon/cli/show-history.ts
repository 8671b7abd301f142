import { listRecentAlerts } from '#shared/alerts/list-alerts';
import { HOUR, systemClock, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { listChecks } from '#shared/monitor/list-checks';
import { judgementSchema } from '#shared/monitor/verdict';
import { formatTable, UsageError, type CommandOutput } from './terminal';

const REASON_WIDTH = 70;

/** `history`: checks, newest first, and the alerts of the same hours with their deliveries. */
export async function showHistory(db: Database, hoursText = '24'): Promise<CommandOutput> {
  const hours = /^\d{1,3}$/.test(hoursText) ? Number(hoursText) : 0;
  if (hours < 1 || hours > 720) throw new UsageError('--hours is a whole number from 1 to 720.');
  const history = await listChecks(db, { hours, clock: systemClock });
  const since = toIso(systemClock.now() - hours * HOUR);
  const alerts = (await listRecentAlerts(db, { limit: 200 })).filter((alert) => alert.openedAt >= since);
  const rows = history.map((check) => {
    const judged = judgementSchema.safeParse(check.content_analysis).data;
    const reason = check.error_message ?? judged?.reason ?? '';
    return [
      check.check_timestamp,
      judged?.verdict ?? '?',
      String(check.http_status_code ?? '-'),
      `${check.response_time_ms} ms`,
      check.alert_sent ? 'alert' : '',
      reason.length > REASON_WIDTH ? `${reason.slice(0, REASON_WIDTH - 1)}…` : reason,
    ];
  });
  return {
    lines: [
      rows.length === 0
        ? `No check in the last ${hours} hours.`
        : formatTable([['time (UTC)', 'verdict', 'http', 'took', 'sent', 'why'], ...rows]),
      ...alerts.flatMap((alert) => [
        '',
        `Alert of ${alert.openedAt}: ${alert.status}${alert.closedAt === null ? '' : ` at ${alert.closedAt}`}`,
        ...alert.deliveries.map(
          (delivery) =>
            `  ${delivery.audience} by ${delivery.channel}: ${delivery.status}${delivery.sentAt === null ? '' : ` at ${delivery.sentAt}`}, ${delivery.attempts} attempt${delivery.attempts === 1 ? '' : 's'}${delivery.lastError === null ? '' : `, ${delivery.lastError}`}`,
        ),
      ]),
    ],
    json: { success: true, history, alerts },
  };
}

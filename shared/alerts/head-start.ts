import { fromIso, SECOND } from '../clock';
import type { Database } from '../database/schema';

/** When the two audiences were sent an alert's message (ISO-8601); null while one was not. */
export interface NotifiedTimes {
  instantAt: string | null;
  freeAt: string | null;
}

/** The times of an alert from its deliveries by Discord. */
export function notifiedTimes(
  deliveries: readonly { audience: string; channel: string; sentAt: string | null }[],
): NotifiedTimes {
  const sentAt = (audience: string): string | null =>
    deliveries.find((row) => row.audience === audience && row.channel === 'discord')?.sentAt ?? null;
  return { instantAt: sentAt('instant'), freeAt: sentAt('free') };
}

/** By how many seconds the instant message preceded the free one, to a tenth; null until both are sent, or if it did not. */
export function headStartSeconds({ instantAt, freeAt }: NotifiedTimes): number | null {
  if (instantAt === null || freeAt === null) return null;
  const seconds = Math.round((fromIso(freeAt) - fromIso(instantAt)) / (SECOND / 10)) / 10;
  return seconds > 0 ? seconds : null;
}

/** Reads when the messages of alerts were sent, by the alert's id. At most some hundred alerts. */
export async function readNotifiedTimes(
  db: Database,
  alertIds: readonly string[],
): Promise<(alertId: string) => NotifiedTimes> {
  const deliveries =
    alertIds.length === 0
      ? []
      : await db
          .selectFrom('alert_deliveries')
          .select(['alert_id', 'audience', 'channel', 'sent_at as sentAt'])
          .where('alert_id', 'in', alertIds)
          .execute();
  return (alertId) => notifiedTimes(deliveries.filter(({ alert_id }) => alert_id === alertId));
}

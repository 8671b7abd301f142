import { sql, type Kysely, type Selectable } from 'kysely';
import { ALERT_LIFETIME_MS } from '../alerts/alert-timing';
import { fromIso, MINUTE } from '../clock';
import type { Schema } from '../database/schema';
import type { MemberDeliveriesTable } from '../database/tables/members/member-deliveries';
import type { Outcome } from '../outbox/outcome';
import { OUTBOXES } from '../outbox/outboxes';
import type { ServiceFault } from '../push/fault-guard';
import { type MemberChannel } from '../member-channels';

export type MemberDelivery = Selectable<MemberDeliveriesTable>;

/**
 * An attempt's outcome. `closed`: the waiting room had closed. `fault`: a refusal by a fault of the push service or this
 * site, which ends no subscription. `quietUntil`: the mail was not sent, and waits until then (epoch ms).
 */
export type MemberOutcome = Outcome<object, 'address' | 'subscription' | 'key'> & {
  closed?: true;
  fault?: ServiceFault;
  quietUntil?: number;
};

export const memberOutbox = OUTBOXES.members;

/** How long a test by push may wait for its turn. Its member waits for the result. */
export const PUSH_TEST_LIFETIME_MS = MINUTE;

/** Whether a row is a test that its member asked for. */
export const isTest = (row: Pick<MemberDelivery, 'alert_id' | 'announcement_id'>): boolean =>
  row.alert_id === null && row.announcement_id === null;

/** When the alert opened or reopened, ten minutes before its rows expire, or the test was requested (epoch ms). */
export function announcedAt(
  row: Pick<MemberDelivery, 'alert_id' | 'announcement_id' | 'created_at' | 'expires_at'>,
): number {
  return isTest(row) ? fromIso(row.created_at) : fromIso(row.expires_at) - ALERT_LIFETIME_MS;
}

/** How many deliveries to members are not finished, by channel; a channel without any is left out. For metrics. */
export function countUnfinished(db: Kysely<Schema>): Promise<{ channel: MemberChannel; count: number }[]> {
  return (
    db
      .selectFrom('member_deliveries')
      .select((row) => ['channel', row.fn.countAll<number>().as('count')])
      // Literals, so that SQLite uses the partial index of unfinished rows.
      .where(sql<boolean>`status in ('pending', 'sending')`)
      .groupBy('channel')
      .execute()
  );
}

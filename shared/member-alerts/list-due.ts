import type { Kysely } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { endpointHost } from '../push/ended-subscriptions';
import { isTest, type MemberDelivery } from './member-outbox';
import { type MemberChannel } from '../member-channels';

/** Alerts, and tests that members asked for: tests have separate slots. */
export type MemberLane = 'alerts' | 'tests';

/** A delivery that is due, and where it goes. */
export interface DueDelivery {
  id: string;
  lane: MemberLane;
  /**
   * Push: the host of the push service. Email: the domain of the address. Null when nothing will be sent: it is too late,
   * the alert has closed, or the browser or account is gone.
   */
  destination: string | null;
  /** Of a test: the member. */
  owner?: string;
  isRetry: boolean;
}

/** The destination of each browser by its id, or of each address by the id of its account. */
async function readDestinations(
  db: Kysely<Schema>,
  channel: MemberChannel,
  targets: readonly string[],
): Promise<Map<string, string>> {
  if (channel === 'push') {
    const browsers = await db
      .selectFrom('push_subscriptions')
      .select(['id', 'endpoint'])
      .where('id', 'in', [...targets])
      .execute();
    return new Map(browsers.map(({ id, endpoint }) => [id, endpointHost(endpoint)]));
  }
  const users = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', 'in', [...targets])
    .execute();
  return new Map(users.map(({ id, email }) => [id, email.slice(email.lastIndexOf('@') + 1).toLowerCase()]));
}

async function findOpenAlerts(
  db: Kysely<Schema>,
  rows: readonly MemberDelivery[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(rows.map((row) => row.alert_id).filter((id) => id !== null))];
  if (ids.length === 0) return new Set();
  const open = await db
    .selectFrom('alerts')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '<>', 'closed')
    .execute();
  return new Set(open.map(({ id }) => id));
}

/** Says where due deliveries of one channel go. `now`: epoch ms. Read-only. */
export async function placeDeliveries(
  db: Kysely<Schema>,
  due: readonly MemberDelivery[],
  { channel, now }: { channel: MemberChannel; now: number },
): Promise<DueDelivery[]> {
  if (due.length === 0) return [];
  const destinations = await readDestinations(
    db,
    channel,
    due.map(({ target }) => target),
  );
  const open = await findOpenAlerts(db, due);
  const stamp = toIso(now);
  return due.map((row): DueDelivery => {
    const { id, alert_id, user_id, target, attempts, expires_at } = row;
    const isSent = expires_at > stamp && (alert_id === null || open.has(alert_id));
    return {
      id,
      lane: isTest(row) ? 'tests' : 'alerts',
      destination: isSent ? (destinations.get(target) ?? null) : null,
      ...(isTest(row) && { owner: user_id }),
      isRetry: attempts > 0,
    };
  });
}

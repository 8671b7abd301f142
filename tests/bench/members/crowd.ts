import { createECDH, randomBytes } from 'node:crypto';
import { DAY, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';

const ROWS_PER_INSERT = 500;

/** The mail address of a member by number. */
const addressOf = (member: number): string => `member${member}@example.test`;

/**
 * Adds `count` members with Pro who want alerts of one watch by mail and, each with one browser, by push. Their endpoints
 * are `PUSHORIGIN/push/NUMBER`.
 */
export async function addCrowd(
  db: Database,
  { count, watchSlug, pushOrigin }: { count: number; watchSlug: string; pushOrigin: string },
): Promise<void> {
  const now = Date.now();
  const stamp = toIso(now);
  // One key pair for all: the work of encrypting is the same.
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys().toString('base64url');
  const preferences = JSON.stringify({ alerts: { email: true, push: true, watches: [watchSlug] } });
  const members = Array.from({ length: count }, (_unused, number) => ({ id: newId(), number }));
  for (let from = 0; from < count; from += ROWS_PER_INSERT) {
    const some = members.slice(from, from + ROWS_PER_INSERT);
    await inTransaction(db, async (trx) => {
      await trx
        .insertInto('users')
        .values(
          some.map(({ id, number }) => ({
            id,
            email: addressOf(number),
            email_verified_at: stamp,
            username: `Member ${number}`,
            preferences,
            created_at: stamp,
            updated_at: stamp,
          })),
        )
        .execute();
      await trx
        .insertInto('subscriptions')
        .values(
          some.map(({ id }) => ({
            id: newId(),
            user_id: id,
            package_id: 'pro-monthly',
            stripe_subscription_id: `sub_${randomBytes(12).toString('hex')}`,
            status: 'active' as const,
            current_period_start: stamp,
            current_period_end: toIso(now + 30 * DAY),
            created_at: stamp,
            updated_at: stamp,
          })),
        )
        .execute();
      await trx
        .insertInto('push_subscriptions')
        .values(
          some.map(({ id, number }) => ({
            id: newId(),
            user_id: id,
            endpoint: `${pushOrigin}/push/${number}`,
            p256dh,
            auth: randomBytes(16).toString('base64url'),
            created_at: stamp,
          })),
        )
        .execute();
    });
  }
}

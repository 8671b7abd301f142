import { createECDH, randomBytes } from 'node:crypto';
import { DAY, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';

const ROWS_PER_INSERT = 500;

/** The mail address of a member by number. */
const addressOf = (name: string, member: number): string => `${name}${member}@example.test`;

/**
 * Adds `count` members who want alerts of one watch by mail (unless `email` is false) and, each with `browsers` browsers,
 * by push, with Pro unless `pro` is false. Their endpoints are what `endpointOf` returns. Returns their accounts.
 */
export async function addCrowd(
  db: Database,
  {
    count,
    watchSlug,
    endpointOf,
    name = 'member',
    email = true,
    pro = true,
    browsers = 1,
  }: {
    count: number;
    watchSlug: string;
    endpointOf: (member: number, browser: number) => string;
    name?: string;
    email?: boolean;
    pro?: boolean;
    browsers?: number;
  },
): Promise<string[]> {
  const now = Date.now();
  const stamp = toIso(now);
  // One key pair for all: the work of encrypting is the same.
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys().toString('base64url');
  const preferences = JSON.stringify({ alerts: { email, push: true, watches: [watchSlug] } });
  const members = Array.from({ length: count }, (_unused, number) => ({ id: newId(), number }));
  for (let from = 0; from < count; from += ROWS_PER_INSERT) {
    const some = members.slice(from, from + ROWS_PER_INSERT);
    await inTransaction(db, async (trx) => {
      await trx
        .insertInto('users')
        .values(
          some.map(({ id, number }) => ({
            id,
            email: addressOf(name, number),
            email_verified_at: stamp,
            username: `${name} ${number}`,
            preferences,
            created_at: stamp,
            updated_at: stamp,
          })),
        )
        .execute();
      if (pro)
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
          some.flatMap(({ id, number }) =>
            Array.from({ length: browsers }, (_unused, browser) => ({
              id: newId(),
              user_id: id,
              endpoint: endpointOf(number, browser),
              p256dh,
              auth: randomBytes(16).toString('base64url'),
              created_at: stamp,
            })),
          ),
        )
        .execute();
    });
  }
  return members.map(({ id }) => id);
}

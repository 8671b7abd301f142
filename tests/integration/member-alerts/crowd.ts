import { DAY, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { newId } from '#shared/ids';
import type { Sandbox } from '../../../sandbox/start-sandbox';
import { subscribe } from '../../paid-accounts';

export interface MemberOptions {
  /** The stored preferences; by default, mail and push about every watch. */
  alerts?: {
    email?: boolean;
    push?: boolean;
    watches?: string[] | null;
    quietHours?: { from: number; to: number };
    pausedUntil?: string;
  };
  timeZone?: string;
  /** Browsers that are subscribed to the sandbox's push service. */
  browsers?: number;
  pro?: boolean;
  verified?: boolean;
  bounced?: boolean;
}

/** Adds a member, by default with Pro and one browser. Returns the account's id. */
export async function addMember(
  { db, sandbox }: { db: Database; sandbox: Sandbox },
  name: string,
  {
    alerts = { push: true },
    timeZone,
    browsers = 1,
    pro = true,
    verified = true,
    bounced = false,
  }: MemberOptions = {},
): Promise<string> {
  const id = newId();
  const stamp = toIso(Date.now() - DAY);
  await db
    .insertInto('users')
    .values({
      id,
      email: `${name}@example.test`,
      email_verified_at: verified ? stamp : null,
      username: name,
      preferences: JSON.stringify({ alerts, timeZone }),
      mail_bounced_at: bounced ? stamp : null,
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
  if (pro) await subscribe(db, id);
  for (let count = 0; count < browsers; count += 1) {
    const { endpoint, keys } = sandbox.push.subscribe();
    await db
      .insertInto('push_subscriptions')
      .values({ id: newId(), user_id: id, endpoint, ...keys, created_at: stamp })
      .execute();
  }
  return id;
}

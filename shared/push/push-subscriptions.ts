import { createHash, ECDH } from 'node:crypto';
import { z } from 'zod';
import { toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import type { PublicWeb } from '../network/public-web.server';
import { firstCharacters } from '../text';
import { listEnded } from './ended-subscriptions';

const MAX_PER_MEMBER = 20;
const MAX_USER_AGENT_LENGTH = 400;

const ENDPOINT_RULE = 'endpoint must be the https:// address of a push service.';
const P256DH_RULE = 'keys.p256dh must be a public key of the curve P-256, base64url.';
const AUTH_RULE = 'keys.auth must be 16 bytes, base64url.';

/** The bytes of a base64url text, with or without padding; empty if invalid (Node skips invalid characters). */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  const encoded = bytes.toString('base64url');
  const padded = encoded.padEnd(Math.ceil(encoded.length / 4) * 4, '=');
  return text === encoded || text === padded ? bytes : Buffer.alloc(0);
}

/** RFC 8291, section 3.1: an uncompressed point. */
function isPublicKey(text: string): boolean {
  const bytes = decode(text);
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** A subscription as `PushSubscription.toJSON()` has it (W3C Push API, section 8). */
export const pushSubscriptionFields = z.object({
  endpoint: z.string().max(2_000, ENDPOINT_RULE).refine(URL.canParse, ENDPOINT_RULE),
  keys: z.object({
    p256dh: z.string().max(200, P256DH_RULE).refine(isPublicKey, P256DH_RULE),
    auth: z
      .string()
      .max(100, AUTH_RULE)
      .refine((text) => decode(text).length === 16, AUTH_RULE),
  }),
});

export interface PushContext {
  db: Database;
  clock: Clock;
  web: Pick<PublicWeb, 'requirePublicUrl'>;
  /** ALLOWED_PRIVATE_HOSTS: push services there may use http. */
  allowedPrivateHosts: readonly string[];
}

/**
 * Stores the subscription of a member's browser. A stored endpoint keeps its id, or moves to this member when another one
 * used the browser before. Throws `Invalid` for an endpoint that is not https or not public, and `Conflict`
 * (`too_many_devices`) beyond 20 per member.
 */
export async function addPushSubscription(
  { db, clock, web, allowedPrivateHosts }: PushContext,
  {
    userId,
    subscription,
    userAgent,
  }: { userId: string; subscription: z.output<typeof pushSubscriptionFields>; userAgent: string | null },
): Promise<{ id: string }> {
  const { keys } = subscription;
  const url = await web.requirePublicUrl(subscription.endpoint, 'endpoint');
  // One form per browser, so that it gets each message once.
  url.hash = '';
  const { protocol, host, hostname, href: endpoint } = url;
  if (
    protocol !== 'https:' &&
    !allowedPrivateHosts.some((allowed) => allowed === host || allowed === hostname)
  )
    throw new DomainError('Invalid', {
      code: 'endpoint_not_https',
      message: ENDPOINT_RULE,
      fieldErrors: { endpoint: [ENDPOINT_RULE] },
    });

  return inTransaction(db, async (trx) => {
    await trx.deleteFrom('ended_push_subscriptions').where('endpoint', '=', endpoint).execute();
    const stored = await trx
      .selectFrom('push_subscriptions')
      .select(['id', 'user_id'])
      .where('endpoint', '=', endpoint)
      .executeTakeFirst();
    if (stored?.user_id === userId) {
      await trx.updateTable('push_subscriptions').set(keys).where('id', '=', stored.id).execute();
      return { id: stored.id };
    }
    // A new id: pending messages to the other member are not sent to this one.
    if (stored !== undefined)
      await trx.deleteFrom('push_subscriptions').where('id', '=', stored.id).execute();
    const { count } = await trx
      .selectFrom('push_subscriptions')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_PER_MEMBER)
      throw new DomainError('Conflict', {
        code: 'too_many_devices',
        message: `You receive notifications on ${MAX_PER_MEMBER} devices already. Remove one first.`,
      });
    const id = newId();
    await trx
      .insertInto('push_subscriptions')
      .values({
        id,
        user_id: userId,
        endpoint,
        ...keys,
        user_agent: userAgent === null ? null : firstCharacters(userAgent, MAX_USER_AGENT_LENGTH),
        created_at: toIso(clock.now()),
      })
      .execute();
    return { id };
  });
}

/** A browser of a member. */
export interface PushDevice {
  id: string;
  userAgent: string | null;
  createdAt: string;
  lastSentAt: string | null;
  /** When the push service ended the subscription; null while the browser receives alerts. */
  endedAt: string | null;
  /** SHA-256 of the endpoint, base64url: a browser recognises itself by it. The endpoint itself is a secret. */
  endpointHash: string;
}

/** A member's browsers, the newest first, then those whose subscription ended. */
export async function listPushSubscriptions(
  db: Database,
  { userId }: { userId: string },
): Promise<PushDevice[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select((select) => [
      'id',
      'endpoint',
      'user_agent',
      'created_at',
      'last_sent_at as summed_sent_at',
      // Read from the deliveries: written here, ten thousand messages at once would change as many pages.
      select
        .selectFrom('member_deliveries')
        .select((row) => row.fn.max('sent_at').as('at'))
        .whereRef('member_deliveries.user_id', '=', 'push_subscriptions.user_id')
        .whereRef('member_deliveries.target', '=', 'push_subscriptions.id')
        .as('last_sent_at'),
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const ended = await listEnded(db, userId);
  return [
    ...rows.map((row) => ({
      ...deviceOf(row),
      lastSentAt: row.last_sent_at ?? row.summed_sent_at,
      endedAt: null,
    })),
    ...ended.map((row) => ({ ...deviceOf(row), lastSentAt: null, endedAt: row.ended_at })),
  ];
}

function deviceOf(row: { id: string; endpoint: string; user_agent: string | null; created_at: string }) {
  return {
    id: row.id,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    endpointHash: createHash('sha256').update(row.endpoint).digest('base64url'),
  };
}

/** Removes one of a member's browsers, also one whose subscription ended. Throws `NotFound`. */
export async function removePushSubscription(
  db: Database,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const removed = await inTransaction(db, async (trx) => {
    let count = 0n;
    for (const table of ['push_subscriptions', 'ended_push_subscriptions'] as const) {
      const { numDeletedRows } = await trx
        .deleteFrom(table)
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      count += numDeletedRows;
    }
    return count;
  });
  if (removed === 0n)
    throw new DomainError('NotFound', {
      code: 'unknown_device',
      message: 'This device no longer receives notifications.',
    });
}

import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DAY, fromIso, MINUTE, toIso, type Clock } from '../clock';
import { isBusy, isStorageFault } from '../database/database-errors';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import type { Session, Viewer } from './account';

/** A session ends this long after it was last used. */
export const SESSION_LASTS_MS = 30 * DAY;
const SEEN_AT_MOST_EVERY_MS = MINUTE;
const TOKEN_BYTES = 32;
const LONGEST_USER_AGENT = 300;

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** A new session with a token of its own; only the token's hash is stored. Works inside a transaction as well. */
export async function createSession(
  db: Kysely<Schema>,
  { accountId, userAgent, clock }: { accountId: string; userAgent: string | null; clock: Clock },
): Promise<{ token: string; session: Session }> {
  const now = clock.now();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const session = await inTransaction(db, (trx) =>
    trx
      .insertInto('sessions')
      .values({
        id: newId(),
        user_id: accountId,
        token_hash: hashToken(token),
        user_agent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
        created_at: toIso(now),
        last_seen_at: toIso(now),
        expires_at: toIso(now + SESSION_LASTS_MS),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return { token, session };
}

/**
 * Who holds this token; null when nobody does any more. Being seen keeps the session for another thirty days; that
 * is written once a minute at most, and a disk that is full signs nobody out.
 */
export async function findViewer(
  db: Kysely<Schema>,
  { token, clock }: { token: string; clock: Clock },
): Promise<Viewer | null> {
  const now = clock.now();
  const session = await db
    .selectFrom('sessions')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', toIso(now))
    .executeTakeFirst();
  if (session === undefined) return null;
  const account = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', session.user_id)
    .executeTakeFirst();
  if (account === undefined) return null;
  if (now - fromIso(session.last_seen_at) < SEEN_AT_MOST_EVERY_MS) return { account, session };

  const seen = { last_seen_at: toIso(now), expires_at: toIso(now + SESSION_LASTS_MS) };
  try {
    await inTransaction(db, (trx) =>
      trx.updateTable('sessions').set(seen).where('id', '=', session.id).execute(),
    );
  } catch (error) {
    if (!isBusy(error) && !isStorageFault(error)) throw error;
    return { account, session };
  }
  return { account, session: { ...session, ...seen } };
}

/** The account's living sessions, the one used last first. */
export function listSessions(
  db: Kysely<Schema>,
  { accountId, clock }: { accountId: string; clock: Clock },
): Promise<Session[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('expires_at', '>', toIso(clock.now()))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Ends one of the account's own sessions. Throws `NotFound` for any other. */
export async function revokeSession(
  db: Kysely<Schema>,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<void> {
  const result = await inTransaction(db, (trx) =>
    trx
      .deleteFrom('sessions')
      .where('id', '=', sessionId)
      .where('user_id', '=', accountId)
      .executeTakeFirst(),
  );
  if (result.numDeletedRows === 0n)
    throw new DomainError('NotFound', {
      code: 'session_not_found',
      message: 'This session has ended already.',
    });
}

/** Signs out whoever holds this token. Returns whether there was such a session. */
export async function revokeByToken(db: Kysely<Schema>, { token }: { token: string }): Promise<boolean> {
  const result = await inTransaction(db, (trx) =>
    trx.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).executeTakeFirst(),
  );
  return result.numDeletedRows > 0n;
}

import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DAY, fromIso, MINUTE, toIso, type Clock } from '../clock';
import { isBusy, isStorageFault } from '../database/database-errors';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { FREE_MEMBERSHIP, type Session, type Viewer } from './account';

/** A session ends this long after it was last used. */
export const SESSION_LASTS_MS = 30 * DAY;
const SEEN_AT_MOST_EVERY_MS = MINUTE;
const TOKEN_BYTES = 32;
const LONGEST_USER_AGENT = 300;

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/**
 * A new session with a token of its own; only the token's hash is stored. Works inside a transaction as well.
 * `browserSessionId`: the cookie's session of the same browser, when the token is for that browser's local storage.
 */
export async function createSession(
  db: Kysely<Schema>,
  {
    accountId,
    userAgent,
    browserSessionId = null,
    clock,
  }: { accountId: string; userAgent: string | null; browserSessionId?: string | null; clock: Clock },
): Promise<{ token: string; session: Session }> {
  const now = clock.now();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const session = await inTransaction(db, (trx) =>
    trx
      .insertInto('sessions')
      .values({
        id: newId(),
        user_id: accountId,
        browser_session_id: browserSessionId,
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
 * The id under which a session is listed and ended: a browser's cookie and its token in local storage have the same.
 */
export function listedIdOf(session: Session): string {
  return session.browser_session_id ?? session.id;
}

/**
 * The signed-in user of a token; null when the session has ended. A use extends the session, and the other session
 * of the same browser, to thirty days from now. That is written at most once a minute, and a full disk does not end the
 * sign-in.
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
  // No subscriptions are stored yet.
  const membership = FREE_MEMBERSHIP;
  if (now - fromIso(session.last_seen_at) < SEEN_AT_MOST_EVERY_MS) return { account, session, membership };

  const seen = { last_seen_at: toIso(now), expires_at: toIso(now + SESSION_LASTS_MS) };
  try {
    await inTransaction(db, (trx) =>
      trx
        .updateTable('sessions')
        .set(seen)
        .where((where) =>
          where.or([
            where('id', '=', listedIdOf(session)),
            where('browser_session_id', '=', listedIdOf(session)),
          ]),
        )
        .execute(),
    );
  } catch (error) {
    if (!isBusy(error) && !isStorageFault(error)) throw error;
    return { account, session, membership };
  }
  return { account, session: { ...session, ...seen }, membership };
}

/**
 * The account's living sessions, the one used last first. A browser is one entry: the token in its local storage is not
 * listed beside its cookie.
 */
export function listSessions(
  db: Kysely<Schema>,
  { accountId, clock }: { accountId: string; clock: Clock },
): Promise<Session[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('browser_session_id', 'is', null)
    .where('expires_at', '>', toIso(clock.now()))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
}

/**
 * Ends one of the account's own sessions; of a browser its cookie's and its local storage's. Throws `NotFound` for any
 * other.
 */
export async function revokeSession(
  db: Kysely<Schema>,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<void> {
  // The foreign key ends the local storage's session with the cookie's.
  const result = await inTransaction(db, (trx) =>
    trx
      .deleteFrom('sessions')
      .where('user_id', '=', accountId)
      .where('id', 'in', (from) =>
        from
          .selectFrom('sessions')
          .select(({ fn }) => fn.coalesce('browser_session_id', 'id').as('id'))
          .where('id', '=', sessionId),
      )
      .executeTakeFirst(),
  );
  if (result.numDeletedRows === 0n)
    throw new DomainError('NotFound', {
      code: 'session_not_found',
      message: 'This session has ended already.',
    });
}

/**
 * Ends the sessions of these tokens, all or none, each with the other session of the same browser. Returns whether there
 * was one.
 */
export async function revokeByTokens(
  db: Kysely<Schema>,
  { tokens }: { tokens: readonly string[] },
): Promise<boolean> {
  if (tokens.length === 0) return false;
  const result = await inTransaction(db, (trx) =>
    trx
      .deleteFrom('sessions')
      .where('id', 'in', (from) =>
        from
          .selectFrom('sessions')
          .select(({ fn }) => fn.coalesce('browser_session_id', 'id').as('id'))
          .where('token_hash', 'in', tokens.map(hashToken)),
      )
      .executeTakeFirst(),
  );
  return result.numDeletedRows > 0n;
}

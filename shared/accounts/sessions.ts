import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DAY, fromIso, MINUTE, toIso, type Clock } from '../clock';
import { isBusy, isStorageFault } from '../database/database-errors';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { readMembership } from '../subscriptions/membership';
import type { Session, Viewer } from './account';

/** Lifetime of a session after its last use. */
export const SESSION_LIFETIME_MS = 30 * DAY;
const SEEN_INTERVAL_MS = MINUTE;
const TOKEN_BYTES = 32;
const MAX_USER_AGENT_LENGTH = 300;

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/**
 * Creates a session; only the hash of its token is stored. `browserSessionId`: the cookie session of the same
 * browser, for a token in that browser's local storage.
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
        user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
        created_at: toIso(now),
        last_seen_at: toIso(now),
        expires_at: toIso(now + SESSION_LIFETIME_MS),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
  return { token, session };
}

/**
 * The id under which a session is listed and revoked: the same for a browser's cookie and its token in local storage.
 */
export function listedIdOf(session: Session): string {
  return session.browser_session_id ?? session.id;
}

/**
 * Finds the user of a token; null when the session has ended. A use extends this session, and the other session of
 * the same browser, to thirty days from now. The extension is written at most once a minute, and a full disk does not
 * end the session.
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
  const membership = await readMembership(db, { accountId: account.id, now });
  if (now - fromIso(session.last_seen_at) < SEEN_INTERVAL_MS) return { account, session, membership };

  const seen = { last_seen_at: toIso(now), expires_at: toIso(now + SESSION_LIFETIME_MS) };
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
 * Lists the account's sessions, last used first. Each browser is one entry: its local storage token is not listed
 * beside its cookie.
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
 * Revokes a session of the account, both sessions of a browser. Throws `NotFound` for a session of another account.
 */
export async function revokeSession(
  db: Kysely<Schema>,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<void> {
  // The foreign key cascades to the local storage session.
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
 * Revokes the sessions of these tokens in one transaction, each with the other session of the same browser. Returns
 * whether there was one.
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

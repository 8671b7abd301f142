import { createHash, randomBytes } from 'node:crypto';
import { writeAudit } from '../audit/write-audit';
import { DAY, fromIso, MINUTE, toIso, type Clock } from '../clock';
import { isBusy, isStorageFault, isUnknownCommit } from '../database/database-errors';
import { prepareQuery } from '../database/prepare-query';
import type { Database, Transaction } from '../database/schema';
import { inStatement, inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { chooseSubscription, membershipOf, PRO_STATUSES, type Terms } from '../subscriptions/membership';
import type { Session, Viewer } from './account';

/** Lifetime of a session after its last use. */
export const SESSION_LIFETIME_MS = 30 * DAY;
/** Lifetime of a session after the sign-in, however often it is used. */
export const SESSION_MAX_LIFETIME_MS = 90 * DAY;
/** Sessions of one account. A browser counts once. */
const MAX_SESSIONS_PER_ACCOUNT = 20;
const SEEN_INTERVAL_MS = MINUTE;
const TOKEN_BYTES = 32;
const MAX_USER_AGENT_LENGTH = 300;

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** When a session that is used now expires. */
function expiryOf(createdAt: number, now: number): string {
  return toIso(Math.min(now + SESSION_LIFETIME_MS, createdAt + SESSION_MAX_LIFETIME_MS));
}

/** Ends the sessions beyond the limit, least recently used first, but never `newest`. */
async function endSurplus(trx: Transaction, newest: Session): Promise<void> {
  const kept = await trx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', newest.user_id)
    .where('browser_session_id', 'is', null)
    .where('id', '<>', newest.id)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(MAX_SESSIONS_PER_ACCOUNT - 1)
    .execute();
  if (kept.length < MAX_SESSIONS_PER_ACCOUNT - 1) return;
  await endSessions(trx, { accountId: newest.user_id, except: [newest.id, ...kept.map(({ id }) => id)] });
}

/**
 * Ends the sessions of an account, except these listed ones. The foreign key ends the local storage session of a browser
 * with its cookie's. Returns how many listed sessions have ended.
 */
export async function endSessions(
  trx: Transaction,
  { accountId, except = [] }: { accountId: string; except?: readonly string[] },
): Promise<number> {
  let ending = trx
    .deleteFrom('sessions')
    .where('user_id', '=', accountId)
    .where('browser_session_id', 'is', null);
  if (except.length > 0) ending = ending.where('id', 'not in', [...except]);
  return Number((await ending.executeTakeFirst()).numDeletedRows);
}

/**
 * Creates a session; only the hash of its token is stored. `browserSessionId`: the cookie session of the same
 * browser, for a token in that browser's local storage. Beyond the limit of the account, the session that was used
 * longest ago ends.
 */
export async function createSession(
  db: Database,
  {
    accountId,
    userAgent,
    browserSessionId = null,
    clock,
  }: { accountId: string; userAgent: string | null; browserSessionId?: string | null; clock: Clock },
): Promise<{ token: string; session: Session }> {
  const now = clock.now();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const session = await inTransaction(db, async (trx) => {
    const created = await trx
      .insertInto('sessions')
      .values({
        id: newId(),
        user_id: accountId,
        browser_session_id: browserSessionId,
        token_hash: hashToken(token),
        user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
        created_at: toIso(now),
        last_seen_at: toIso(now),
        expires_at: expiryOf(now, now),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (browserSessionId === null) await endSurplus(trx, created);
    return created;
  });
  return { token, session };
}

/** The id under which a session is listed and revoked: the same for a browser's cookie and its token in local storage. */
export function listedIdOf(session: Session): string {
  return session.browser_session_id ?? session.id;
}

/** A session with its account, once for each subscription that can give Pro: one round trip for every request of a member. */
const selectSession = prepareQuery(
  (db, { tokenHash, now, createdAfter }: Record<'tokenHash' | 'now' | 'createdAfter', string>) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .leftJoin('subscriptions', (join) =>
        join.onRef('subscriptions.user_id', '=', 'users.id').on('subscriptions.status', 'in', PRO_STATUSES),
      )
      .selectAll('users')
      .select([
        'sessions.id as session_id',
        'sessions.browser_session_id',
        'sessions.user_agent',
        'sessions.created_at as signed_in_at',
        'sessions.last_seen_at',
        'sessions.expires_at',
        'subscriptions.status as pro_status',
        'subscriptions.current_period_end as pro_period_end',
        'subscriptions.cancel_at_period_end as pro_cancel_at_period_end',
        'subscriptions.cancel_at as pro_cancel_at',
        'subscriptions.grace_until as pro_grace_until',
      ])
      .where('sessions.token_hash', '=', tokenHash)
      .where('sessions.expires_at', '>', now)
      .where('sessions.created_at', '>', createdAfter)
      .where('users.disabled_at', 'is', null),
);

/** The subscription in a row of `selectSession`: one, or none. */
function termsOf(row: Awaited<ReturnType<typeof selectSession>>[number]): Terms[] {
  if (row.pro_status === null || row.pro_cancel_at_period_end === null) return [];
  return [
    {
      status: row.pro_status,
      current_period_end: row.pro_period_end,
      cancel_at_period_end: row.pro_cancel_at_period_end,
      cancel_at: row.pro_cancel_at,
      grace_until: row.pro_grace_until,
    },
  ];
}

/**
 * Finds the user of a token; null when the session has ended or the account is disabled. A use extends this session, and
 * the other session of the same browser, to thirty days from now, up to ninety days after the sign-in. The extension is
 * written at most once a minute, and a full disk does not end the session.
 */
export async function findViewer(
  db: Database,
  { token, clock }: { token: string; clock: Clock },
): Promise<Viewer | null> {
  const now = clock.now();
  const tokenHash = hashToken(token);
  const rows = await selectSession(db, {
    tokenHash,
    now: toIso(now),
    // Sessions of earlier releases expire later.
    createdAfter: toIso(now - SESSION_MAX_LIFETIME_MS),
  });
  const [found] = rows;
  if (found === undefined) return null;
  const {
    session_id,
    browser_session_id,
    user_agent,
    signed_in_at,
    last_seen_at,
    expires_at,
    pro_status: _status,
    pro_period_end: _periodEnd,
    pro_cancel_at_period_end: _cancelAtPeriodEnd,
    pro_cancel_at: _cancelAt,
    pro_grace_until: _graceUntil,
    ...account
  } = found;
  const session: Session = {
    id: session_id,
    user_id: account.id,
    browser_session_id,
    token_hash: tokenHash,
    user_agent,
    created_at: signed_in_at,
    last_seen_at,
    expires_at,
  };
  const membership = membershipOf(chooseSubscription(rows.flatMap(termsOf), now), now);
  if (now - fromIso(session.last_seen_at) < SEEN_INTERVAL_MS) return { account, session, membership };

  const seen = { last_seen_at: toIso(now), expires_at: expiryOf(fromIso(session.created_at), now) };
  try {
    await inStatement(db, (trx) =>
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
    if (!isBusy(error) && !isStorageFault(error) && !isUnknownCommit(error)) throw error;
    return { account, session, membership };
  }
  return { account, session: { ...session, ...seen }, membership };
}

/** Lists the account's sessions, last used first: one per browser, not its local storage token beside its cookie. */
export function listSessions(db: Database, { accountId, clock }: { accountId: string; clock: Clock }) {
  const now = clock.now();
  return db
    .selectFrom('sessions')
    .select(['id', 'user_agent as userAgent', 'created_at as createdAt', 'last_seen_at as lastSeenAt'])
    .where('user_id', '=', accountId)
    .where('browser_session_id', 'is', null)
    .where('expires_at', '>', toIso(now))
    .where('created_at', '>', toIso(now - SESSION_MAX_LIFETIME_MS))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Ends a session of the account, both sessions of a browser. Returns whether there was one. */
export async function endSession(
  trx: Transaction,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<boolean> {
  // The foreign key cascades to the local storage session.
  const result = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', accountId)
    .where('id', 'in', (from) =>
      from
        .selectFrom('sessions')
        .select(({ fn }) => fn.coalesce('browser_session_id', 'id').as('id'))
        .where('id', '=', sessionId),
    )
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** `endSession` in a transaction. Throws `NotFound` for a session that has ended, or of another account. */
export async function revokeSession(
  db: Database,
  session: { accountId: string; sessionId: string },
): Promise<void> {
  if (!(await inTransaction(db, (trx) => endSession(trx, session))))
    throw new DomainError('NotFound', {
      code: 'session_not_found',
      message: 'This session has already ended.',
    });
}

/** Ends every session of the account except this one, and writes the audit log. Returns how many have ended. */
export function endOtherSessions(
  db: Database,
  { session, clock }: { session: Session; clock: Clock },
): Promise<number> {
  const accountId = session.user_id;
  return inTransaction(db, async (trx) => {
    const ended = await endSessions(trx, { accountId, except: [listedIdOf(session)] });
    await writeAudit(
      trx,
      {
        actor: { userId: accountId },
        action: 'account.sign_out_elsewhere',
        subject: accountId,
        details: { ended },
      },
      clock.now(),
    );
    return ended;
  });
}

/** Revokes these tokens' sessions, each with the browser's other one, in a transaction. Returns whether there was one. */
export async function revokeByTokens(
  db: Database,
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

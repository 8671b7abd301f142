import { writeAudit } from '../audit/write-audit';
import { HOUR, toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { addMail, SIGN_IN_MAIL_LIFETIME_MS } from '../mail/mails';
import { openEndSessionToken, type NoticedSession } from '../mail/new-browser-mail';
import type { Keyring } from '../secrets.server';
import type { Account, Session } from './account';
import { describeBrowser } from './describe-device';
import { forgetBrowsers } from './known-browsers';
import { endSession } from './sessions';

/** Mails an hour about one browser each. One more tells of all, and the next browsers bring none: they would hide it. */
const NOTICES_AN_HOUR = 3;
/** More than the sessions of an account. */
const MAX_SESSIONS = 50;

/** Mails the owner that a browser signed in which has never signed in to this account. */
export async function addNewBrowserNotice(
  trx: Transaction,
  { account, session, now }: { account: Account; session: Session; now: number },
): Promise<void> {
  const { count } = await trx
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('recipient', '=', account.email)
    .where('template', '=', 'new_browser')
    .where('created_at', '>', toIso(now - HOUR))
    .executeTakeFirstOrThrow();
  if (Number(count) > NOTICES_AN_HOUR) return;
  const facts = {
    template: 'new_browser' as const,
    accountId: account.id,
    sessionId: session.id,
    browser: describeBrowser(session.user_agent),
    signedInAt: session.created_at,
    ...(Number(count) === NOTICES_AN_HOUR ? { since: toIso(now - HOUR) } : {}),
  };
  await addMail(
    trx,
    {
      to: account.email,
      template: facts.template,
      facts,
      expiresAt: now + SIGN_IN_MAIL_LIFETIME_MS,
    },
    now,
  );
}

function requireToken(keyring: Keyring, token: string): NoticedSession {
  const opened = openEndSessionToken(keyring, token);
  if (opened !== null) return opened;
  throw new DomainError('NotFound', {
    code: 'end_session_token_unknown',
    message:
      'This link is not complete. Please copy the whole link from the email, or sign the browser out on your account page.',
  });
}

/**
 * The sessions of a link that have not ended, the oldest first, and whether it is about several. Throws `NotFound`
 * `end_session_token_unknown`.
 */
export async function listNoticedSessions(
  db: Database,
  { keyring, token, clock }: { keyring: Keyring; token: string; clock: Clock },
): Promise<{ sessions: Session[]; areSeveral: boolean }> {
  const { accountId, sessionId, since } = requireToken(keyring, token);
  const sessions = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('expires_at', '>', toIso(clock.now()))
    // That of a browser has a second one in its local storage, which ends with it.
    .where('browser_session_id', 'is', null)
    .where(({ eb }) => (since === undefined ? eb('id', '=', sessionId) : eb('created_at', '>=', since)))
    .orderBy('created_at')
    .limit(MAX_SESSIONS)
    .execute();
  return { sessions, areSeveral: since !== undefined };
}

/**
 * Ends the sessions of a link, after which every browser counts as new to its account, and writes the audit log. Repeats
 * change nothing. Throws `NotFound` `end_session_token_unknown`.
 */
export async function endNoticedSessions(
  db: Database,
  { keyring, token, clock }: { keyring: Keyring; token: string; clock: Clock },
): Promise<void> {
  const { accountId } = requireToken(keyring, token);
  await inTransaction(db, async (trx) => {
    const { sessions } = await listNoticedSessions(trx, { keyring, token, clock });
    const now = clock.now();
    for (const { id: sessionId } of sessions) {
      await endSession(trx, { accountId, sessionId });
      await writeAudit(
        trx,
        {
          actor: { userId: accountId },
          action: 'account.refuse_sign_in',
          subject: accountId,
          details: { session: sessionId },
        },
        now,
      );
    }
    if (sessions.length > 0) await forgetBrowsers(trx, { accountId, now });
  });
}

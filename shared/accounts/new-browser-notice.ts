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

/** More mails an hour would hide the first ones. */
const NOTICES_AN_HOUR = 3;

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
  if (Number(count) >= NOTICES_AN_HOUR) return;
  const facts = {
    template: 'new_browser' as const,
    accountId: account.id,
    sessionId: session.id,
    browser: describeBrowser(session.user_agent),
    signedInAt: session.created_at,
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
      'This link is not complete. Please copy the whole link from the mail, or sign the browser out on your account page.',
  });
}

/** The session of a link; null once it has ended. Throws `NotFound` `end_session_token_unknown`. */
export async function findNoticedSession(
  db: Database,
  { keyring, token, clock }: { keyring: Keyring; token: string; clock: Clock },
): Promise<Session | null> {
  const { accountId, sessionId } = requireToken(keyring, token);
  const session = await db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .where('user_id', '=', accountId)
    .where('expires_at', '>', toIso(clock.now()))
    .executeTakeFirst();
  return session ?? null;
}

/**
 * Ends the session of a link, after which every browser counts as new to its account, and writes the audit log. Repeats
 * change nothing. Throws `NotFound` `end_session_token_unknown`.
 */
export async function endNoticedSession(
  db: Database,
  { keyring, token, clock }: { keyring: Keyring; token: string; clock: Clock },
): Promise<void> {
  const { accountId, sessionId } = requireToken(keyring, token);
  await inTransaction(db, async (trx) => {
    if (!(await endSession(trx, { accountId, sessionId }))) return;
    const now = clock.now();
    await forgetBrowsers(trx, { accountId, now });
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
  });
}

import { writeAudit } from '../audit/write-audit';
import type { Transaction } from '../database/schema';
import { DomainError } from '../errors';
import { formatUkTime } from '../mail/uk-time';
import type { Account, Session } from './account';
import type { AccountsContext } from './accounts-context';
import type { EarlierSignIn } from '../operation';
import { applyAdminLists } from './admin-lists';
import { isKnownBrowser } from './known-browsers';
import { addNewBrowserNotice } from './new-browser-notice';
import { createSession } from './sessions';

/** A new session. The token is returned only here. */
export interface SignedIn {
  kind: 'session';
  token: string;
  session: Session;
  account: Account;
}

/** A sign-in that was refused because the account is disabled. */
export interface Disabled {
  kind: 'disabled';
  /** When it will be deleted, ISO; null: an admin has disabled it. */
  deleteAfter: string | null;
}

const isDisabled = (outcome: { kind: string }): outcome is Disabled => outcome.kind === 'disabled';

/** The outcome of a sign-in to a disabled account; null for others. */
export function disabledOutcome(account: Account): Disabled | null {
  if (account.disabled_at === null) return null;
  const isByDeletion = account.disabled_at === account.deletion_requested_at;
  return { kind: 'disabled', deleteAfter: isByDeletion ? account.delete_after : null };
}

/**
 * Throws `Forbidden` `account_disabled`, or `account_closing` for an account that is to be deleted. Call it after the commit:
 * a used code stays used.
 */
export function requireSignedIn<Outcome extends { kind: string }>(
  outcome: Outcome | Disabled,
): Exclude<Outcome, Disabled> {
  if (!isDisabled(outcome)) return outcome as Exclude<Outcome, Disabled>;
  if (outcome.deleteAfter !== null)
    throw new DomainError('Forbidden', {
      code: 'account_closing',
      message: `This account will be deleted on ${formatUkTime(outcome.deleteAfter)}. To keep it, use the link in the email about its deletion.`,
    });
  throw new DomainError('Forbidden', {
    code: 'account_disabled',
    message:
      'This account is disabled, so it cannot sign in and gets no alerts. If you think this is a mistake, please write to us.',
  });
}

/** The client that signs in. */
export interface SigningIn {
  userAgent: string | null;
  /** The evidence in the browser's cookie; none for a client without cookies. */
  earlierSignIns?: readonly EarlierSignIn[];
}

/**
 * Completes every sign-in: updates the admin role, creates a session, writes the audit log, and mails the owner when the
 * browser is new, except at the account's first sign-in. Refuses a disabled account.
 */
export async function openSession(
  trx: Transaction,
  context: Pick<AccountsContext, 'config' | 'clock' | 'mail'>,
  {
    account,
    by,
    userAgent,
    earlierSignIns = [],
    isFirst = false,
  }: { account: Account; by: 'password' | 'code' | 'discord' | 'passkey'; isFirst?: boolean } & SigningIn,
): Promise<SignedIn | Disabled> {
  const disabled = disabledOutcome(account);
  if (disabled !== null) return disabled;
  const now = context.clock.now();
  const granted = await applyAdminLists(trx, context.config, { account, now });
  const { token, session } = await createSession(trx, {
    accountId: account.id,
    userAgent,
    clock: context.clock,
  });
  await writeAudit(
    trx,
    {
      actor: { userId: account.id },
      action: 'account.sign_in',
      subject: account.id,
      details: { by, session: session.id },
    },
    now,
  );
  if (context.mail.enabled && !isFirst && !isKnownBrowser(account, earlierSignIns))
    await addNewBrowserNotice(trx, { account, session, now });
  return { kind: 'session', token, session, account: granted };
}

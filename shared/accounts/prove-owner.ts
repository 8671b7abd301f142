import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import type { Account, Session } from './account';
import { type AccountsContext, requireMail } from './accounts-context';
import { ensureCode } from './codes/code-mails';
import { invalidCode, tryCode } from './codes/verification-codes';
import { listedIdOf } from './sessions';

/** The account and the session in which it is changed. */
export interface Owner {
  account: Account;
  session: Session;
}

/** The proof for one kind of change by the owner: its fields and sentences. */
export interface ProofRule {
  /** Codes for one purpose do not count for another. */
  purpose: string;
  passwordField: string;
  passwordMissing: { code: string; message: string };
  passwordWrong: string;
  codeMissing: string;
  /** Whether a code counts where the account has a password. */
  codeAlwaysCounts: boolean;
}

/** For changes of how the account is signed in to. */
export const SIGN_IN_CHANGE: ProofRule = {
  purpose: 'password',
  passwordField: 'currentPassword',
  passwordMissing: {
    code: 'current_password_required',
    message: 'Please enter your current password.',
  },
  passwordWrong: 'This is not your current password.',
  codeMissing: 'Please enter the code that we sent to your email address.',
  codeAlwaysCounts: false,
};

/** The proof that an owner enters. */
export interface OwnerProof {
  /** Needed when the account has a password. */
  password: string | undefined;
  /** From `sendOwnerCode`; needed when the account has no password. */
  code: string | undefined;
}

/** Codes belong to one session: no sign-in can use them, and no other session. */
export function codeKeyOf({ purpose }: ProofRule, session: Session): string {
  return `${purpose} ${listedIdOf(session)}`;
}

/** A refusal that names its field. */
export function refusal(field: string, code: string, message: string): DomainError {
  return new DomainError('Invalid', { code, message, fieldErrors: { [field]: [message] } });
}

export function wrongPassword({ passwordField, passwordWrong }: ProofRule): DomainError {
  return refusal(passwordField, 'wrong_password', passwordWrong);
}

/** Mails a code for `proveOwner`. Throws `RateLimited` `code_too_soon`, and `Unavailable` while mail is switched off. */
export async function sendOwnerCode(
  context: AccountsContext,
  { account, session }: Owner,
  rule: ProofRule,
): Promise<void> {
  requireMail(context);
  const purpose = { registrationId: null, discord: null };
  const browserKey = codeKeyOf(rule, session);
  const due = await inTransaction(context.db, (trx) =>
    ensureCode(trx, context, { account, browserKey, purpose }),
  );
  context.mail.notifyQueue(due);
}

/** The password or the code that the rule needs. Throws `Invalid` when it is missing. */
export function requireProof(
  { password_hash: stored }: Pick<Account, 'password_hash'>,
  { password, code }: OwnerProof,
  rule: ProofRule,
): { kind: 'password'; password: string; stored: string } | { kind: 'code'; code: string } {
  if (stored === null || (rule.codeAlwaysCounts && code !== undefined)) {
    if (code !== undefined) return { kind: 'code', code };
    throw refusal('code', 'code_required', rule.codeMissing);
  }
  if (password !== undefined) return { kind: 'password', password, stored };
  throw refusal(rule.passwordField, rule.passwordMissing.code, rule.passwordMissing.message);
}

/**
 * Requires a proof that the owner makes a change, and not another person at a signed-in browser; a right code is used up. `network`: as
 * `wideNetworkOf` returns it. Throws `Invalid` for a wrong or missing password or code, and `Unavailable` `busy`.
 */
export async function proveOwner(
  { db, clock, keyring, passwords }: AccountsContext,
  { account, session }: Owner,
  { rule, network, ...given }: OwnerProof & { rule: ProofRule; network: string },
): Promise<void> {
  const proof = requireProof(account, given, rule);
  if (proof.kind === 'password') {
    if (await passwords.verify(proof.password, proof.stored, network)) return;
    throw wrongPassword(rule);
  }
  const entry = { accountId: account.id, code: proof.code, browserKey: codeKeyOf(rule, session) };
  // Commits in any case: a rolled-back try would be free.
  const right = await inTransaction(db, (trx) => tryCode(trx, { keyring, now: clock.now() }, entry));
  if (right === null) throw invalidCode();
}

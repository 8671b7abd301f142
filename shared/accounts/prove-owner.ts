import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import type { Account, Session } from './account';
import type { AccountsContext } from './accounts-context';
import { invalidCode, tryCode } from './codes/verification-codes';
import { listedIdOf } from './sessions';

/** The account and the session in which it is changed. */
export interface Owner {
  account: Account;
  session: Session;
}

/** What proves that the owner makes a sensitive change, and not somebody at an open browser. */
export interface OwnerProof {
  /** Needed when the account has a password. */
  currentPassword: string | null;
  /** From `sendOwnerCode`; needed when the account has no password. */
  code: string | null;
  /** The caller's network, as `wideNetworkOf` returns it. */
  network: string;
}

/** Codes for a change belong to one session: no sign-in can use them, and no other session. */
export function codeKeyOf(session: Session): string {
  return `password ${listedIdOf(session)}`;
}

/** A refusal that names its field. */
export function refusal(field: string, code: string, message: string): DomainError {
  return new DomainError('Invalid', { code, message, fieldErrors: { [field]: [message] } });
}

export function wrongPassword(): DomainError {
  return refusal('currentPassword', 'wrong_password', 'This is not your current password.');
}

/** The password, or for an account without one the code. Throws `Invalid` when it is missing. */
export function requireProof(
  { password_hash: stored }: Pick<Account, 'password_hash'>,
  { currentPassword, code }: Pick<OwnerProof, 'currentPassword' | 'code'>,
): { kind: 'password'; password: string; stored: string } | { kind: 'code'; code: string } {
  if (stored === null) {
    if (code !== null) return { kind: 'code', code };
    throw refusal('code', 'code_required', 'Please enter the code that we sent to your email address.');
  }
  if (currentPassword !== null) return { kind: 'password', password: currentPassword, stored };
  throw refusal('currentPassword', 'current_password_required', 'Please enter your current password.');
}

/** Throws `Invalid` for a wrong or missing password or code; a right code is used up. `Unavailable` `busy` as sign-ins do. */
export async function proveOwner(
  { db, clock, keyring, passwords }: AccountsContext,
  { account, session }: Owner,
  given: OwnerProof,
): Promise<void> {
  const proof = requireProof(account, given);
  if (proof.kind === 'password') {
    if (await passwords.verify(proof.password, proof.stored, given.network)) return;
    throw wrongPassword();
  }
  const entry = { accountId: account.id, code: proof.code, browserKey: codeKeyOf(session) };
  // Commits in any case: a rolled-back try would be free.
  const right = await inTransaction(db, (trx) => tryCode(trx, { keyring, now: clock.now() }, entry));
  if (right === null) throw invalidCode();
}

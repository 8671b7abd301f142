import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { findAccountByEmail } from '../account';
import { requireMail, type AccountsContext } from '../accounts-context';
import { ensureCode } from '../codes/code-mails';
import { openSession, type SignedIn } from '../open-session';

export interface Login {
  /** As `emailField` writes it. */
  email: string;
  password: string;
  /** Known to this browser alone; null for a bare API call. */
  browserKey: string | null;
  /** The caller's network, as `wideNetworkOf` names it. */
  network: string;
  userAgent: string | null;
}

/**
 * Signs in with address and password. Throws `NotAuthenticated` `invalid_credentials` when they do not fit, with the
 * same work done for an unknown address; `Forbidden` `verification_required` when the address is still to be
 * confirmed, and a code is on its way then; `RateLimited` when no more codes may be sent for this password now; `Unavailable` when that code cannot be sent, or when the caller's network
 * signs in too often at the same time.
 */
export async function loginWithPassword(
  context: AccountsContext,
  { email, password, browserKey, network, userAgent }: Login,
): Promise<SignedIn> {
  const known = await findAccountByEmail(context.db, email);
  const passwordHash = known?.password_hash ?? null;
  const fits = await context.passwords.verify(password, passwordHash, network);
  const outcome = !fits
    ? null
    : await inTransaction(context.db, async (trx) => {
        const account = await findAccountByEmail(trx, email);
        // Hashing takes a while: another registration may have set another password meanwhile.
        if (account === null || account.password_hash !== passwordHash) return null;
        if (account.email_verified_at !== null)
          return openSession(trx, context, { account, by: 'password', userAgent });
        requireMail(context);
        const purpose = { registrationId: account.password_registration_id, discord: null };
        return {
          kind: 'verify' as const,
          due: await ensureCode(trx, context, { account, browserKey, purpose }),
        };
      });
  if (outcome === null) {
    throw new DomainError('NotAuthenticated', {
      code: 'invalid_credentials',
      message: 'Invalid email or password',
    });
  }
  if (outcome.kind === 'session') return outcome;
  context.mail.notifyQueue(outcome.due);
  throw new DomainError('Forbidden', {
    code: 'verification_required',
    message: 'Please confirm your email address first. We have sent you a verification code.',
  });
}

import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { findAccountByEmail } from '../account';
import { requireMail, type AccountsContext } from '../accounts-context';
import { ensureCode } from '../codes/code-mails';
import { openSession, requireSignedIn, type SignedIn, type SigningIn } from '../open-session';

export interface Login extends SigningIn {
  /** As `emailField` returns it. */
  email: string;
  password: string;
  /** The browser's secret key; null for an API call without cookies. */
  browserKey: string | null;
  /** The caller's network, as `wideNetworkOf` returns it. */
  network: string;
}

/**
 * Signs in with address and password. Throws `NotAuthenticated` `invalid_credentials` for a wrong pair, after the
 * same work for an unknown address; `Forbidden` `verification_required` when the address is unconfirmed, after
 * sending a code, or `account_disabled`; `RateLimited` when no more codes may be sent for this password; `Unavailable` when the code cannot
 * be sent, or when the caller's network has too many sign-ins in flight.
 */
export async function loginWithPassword(
  context: AccountsContext,
  { email, password, browserKey, network, ...client }: Login,
): Promise<SignedIn> {
  const known = await findAccountByEmail(context.db, email);
  const passwordHash = known?.password_hash ?? null;
  const matches = await context.passwords.verify(password, passwordHash, network);
  const outcome = !matches
    ? null
    : await inTransaction(context.db, async (trx) => {
        const account = await findAccountByEmail(trx, email);
        // Another registration may have replaced the password during hashing.
        if (account === null || account.password_hash !== passwordHash) return null;
        if (account.email_verified_at !== null || account.disabled_at !== null)
          return openSession(trx, context, { account, by: 'password', ...client });
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
  const signedIn = requireSignedIn(outcome);
  if (signedIn.kind === 'session') return signedIn;
  context.mail.notifyQueue(signedIn.due);
  throw new DomainError('Forbidden', {
    code: 'verification_required',
    message: 'Please confirm your email address first. We have sent you a verification code.',
  });
}

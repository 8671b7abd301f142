import type { Kysely } from 'kysely';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';
import { DomainError } from '../errors';
import type { Keyring } from '../secrets.server';
import type { Account } from './account';
import { updatePreferences } from './change-account';

/**
 * The address that ends the alert mails of an account, without a sign-in. It does not expire: the mail that has it may be
 * old. `appUrl`: public base of the site, without a trailing slash.
 */
export function unsubscribeUrl(
  { keyring, appUrl }: { keyring: Keyring; appUrl: string },
  { userId }: { userId: string },
): string {
  return `${appUrl}/unsubscribe?token=${userId}.${keyring.hash('unsubscribe', userId)}`;
}

/** The account of an unsubscribe token. Throws `NotFound` `unsubscribe_token_unknown`. */
export async function requireUnsubscriber(
  db: Kysely<Schema>,
  { keyring, token }: { keyring: Keyring; token: string },
): Promise<Account> {
  const [userId = '', hash = ''] = token.split('.', 2);
  const account = keyring.matches('unsubscribe', userId, hash)
    ? await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
    : undefined;
  if (account !== undefined) return account;
  throw new DomainError('NotFound', {
    code: 'unsubscribe_token_unknown',
    message:
      'This unsubscribe link is not complete, or its account no longer exists. Please copy the whole link from the mail, or switch the alerts off on your account page.',
  });
}

/** Switches off the alert mails of a token's account. Repeats change nothing. Throws as `requireUnsubscriber`. */
export async function unsubscribe(
  db: Kysely<Schema>,
  { keyring, token, clock }: { keyring: Keyring; token: string; clock: Clock },
): Promise<void> {
  const { id } = await requireUnsubscriber(db, { keyring, token });
  await updatePreferences(db, { accountId: id, preferences: { alerts: { email: false } }, clock });
}

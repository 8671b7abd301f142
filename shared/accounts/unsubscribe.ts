import { z } from 'zod';
import { DAY, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { DomainError } from '../errors';
import type { Keyring } from '../secrets.server';
import type { Account } from './account';
import { updatePreferences } from './change-account';

/** How long a link works after its mail was sent. */
const LINK_LIFETIME_MS = 365 * DAY;

/** When the last links end that name the account without a date: a year after the release that dates them. */
const UNDATED_LINKS_END = Date.parse('2027-11-25T00:00:00.000Z');

/** The content of a token, which is sealed, so that a link reveals nothing about its account. */
const tokenSchema = z.object({ userId: z.string(), expiresAt: z.number() });
type Token = z.infer<typeof tokenSchema>;

/** The address that ends an account's alert mails without a sign-in, for a year from `now` (epoch ms). */
export function unsubscribeUrl(
  { keyring, appUrl }: { keyring: Keyring; appUrl: string },
  { userId, now }: { userId: string; now: number },
): string {
  const content = JSON.stringify({ userId, expiresAt: now + LINK_LIFETIME_MS } satisfies Token);
  return `${appUrl}/unsubscribe?token=${keyring.seal('unsubscribe', content)}`;
}

function openToken(keyring: Keyring, token: string): Token | null {
  const [userId = '', hash] = token.split('.', 2);
  // The form of earlier releases.
  if (hash !== undefined)
    return keyring.matches('unsubscribe', userId, hash) ? { userId, expiresAt: UNDATED_LINKS_END } : null;
  const content = keyring.open('unsubscribe', token);
  return content === null ? null : tokenSchema.parse(JSON.parse(content));
}

/**
 * The account of an unsubscribe token. Throws `NotFound` `unsubscribe_token_unknown`, or `unsubscribe_token_expired` for a
 * link that is older than a year.
 */
export async function requireUnsubscriber(
  db: Database,
  { keyring, token, clock }: { keyring: Keyring; token: string; clock: Clock },
): Promise<Account> {
  const opened = openToken(keyring, token);
  if (opened !== null && opened.expiresAt <= clock.now())
    throw new DomainError('NotFound', {
      code: 'unsubscribe_token_expired',
      message:
        'This unsubscribe link has expired: it is older than a year. Please use the link in a newer email, or switch the alerts off on your account page.',
    });
  const account =
    opened === null
      ? undefined
      : await db.selectFrom('users').selectAll().where('id', '=', opened.userId).executeTakeFirst();
  if (account !== undefined) return account;
  throw new DomainError('NotFound', {
    code: 'unsubscribe_token_unknown',
    message:
      'This unsubscribe link is not complete, or its account no longer exists. Please copy the whole link from the email, or switch the alerts off on your account page.',
  });
}

/** Switches off the alert mails of a token's account. Repeats change nothing. Throws as `requireUnsubscriber`. */
export async function unsubscribe(
  db: Database,
  { keyring, token, clock }: { keyring: Keyring; token: string; clock: Clock },
): Promise<void> {
  const { id } = await requireUnsubscriber(db, { keyring, token, clock });
  await updatePreferences(db, { accountId: id, preferences: { alerts: { email: false } }, clock });
}

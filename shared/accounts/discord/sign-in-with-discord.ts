import type { Transaction } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import type { DueDelivery } from '../../queues/catalogue';
import { createAccount, findAccountByEmail, type Account } from '../account';
import { emailField } from '../account-fields';
import { requireMail, type AccountsContext } from '../accounts-context';
import { ensureCode } from '../codes/code-mails';
import {
  disabledOutcome,
  openSession,
  requireSignedIn,
  type Disabled,
  type SignedIn,
  type SigningIn,
} from '../open-session';
import { linkDiscord, type DiscordIdentity } from './link-discord';

/** The profile that Discord returns (Discord docs, "User Resource", User Object). */
export interface DiscordProfile extends DiscordIdentity {
  email: string | null;
  /** Whether Discord has confirmed that address. */
  verified: boolean;
}

/** The address must be confirmed first; a code was sent to it. */
export interface VerifyFirst {
  kind: 'verify';
  email: string;
}

function requireVerifiedEmail({ email, verified }: DiscordProfile): string {
  const parsed = emailField.safeParse(email);
  if (verified && parsed.success) return parsed.data;
  throw new DomainError('Forbidden', {
    code: 'discord_email_unverified',
    message: 'Please verify your email address with Discord first, then sign in again.',
  });
}

async function findByDiscordId(trx: Transaction, discordId: string): Promise<Account | null> {
  const account = await trx
    .selectFrom('users')
    .selectAll()
    .where('discord_id', '=', discordId)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirst();
  return account ?? null;
}

/**
 * Signs in with a Discord profile: the linked account, else the account with Discord's verified address, else a new
 * one. Until the address is confirmed with us, nothing is linked and a code is sent; likewise when the account with
 * this address is linked to another Discord account. Throws `Forbidden` `discord_email_unverified`, `account_disabled` or `account_closing`, `RateLimited`
 * `code_too_soon` when this Discord account has used up its codes, and `Unavailable` when a code cannot be sent.
 */
export async function signInWithDiscord(
  context: AccountsContext,
  { profile, browserKey, ...client }: { profile: DiscordProfile; browserKey: string | null } & SigningIn,
): Promise<SignedIn | VerifyFirst> {
  const email = requireVerifiedEmail(profile);
  const discord: DiscordIdentity = { id: profile.id, username: profile.username, avatar: profile.avatar };
  const outcome = await inTransaction(
    context.db,
    async (trx): Promise<SignedIn | Disabled | { kind: 'verify'; due: DueDelivery[] }> => {
      const now = context.clock.now();
      const linked = await findByDiscordId(trx, discord.id);
      const found = linked ?? (await findAccountByEmail(trx, email));
      const disabled = found === null ? null : disabledOutcome(found);
      if (disabled !== null) return disabled;
      const canSignIn =
        found !== null &&
        found.email_verified_at !== null &&
        (found.discord_id === null || found.discord_id === discord.id);
      if (canSignIn) {
        const account = await linkDiscord(trx, { account: found, discord }, now);
        return openSession(trx, context, { account, by: 'discord', ...client });
      }
      requireMail(context);
      const account = found ?? (await createAccount(trx, { email, username: discord.username }, now));
      const purpose = { registrationId: null, discord };
      return { kind: 'verify', due: await ensureCode(trx, context, { account, browserKey, purpose }) };
    },
  );
  const signedIn = requireSignedIn(outcome);
  if (signedIn.kind === 'session') return signedIn;
  context.mail.notifyQueue(signedIn.due);
  return { kind: 'verify', email };
}

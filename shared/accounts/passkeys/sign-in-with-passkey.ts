import { toIso } from '../../clock';
import type { PasskeyConfig } from '../../config.server';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import type { DueDelivery } from '../../queues/catalogue';
import type { AccountsContext } from '../accounts-context';
import { openSession, requireSignedIn, type Disabled, type SignedIn, type SigningIn } from '../open-session';
import { spendChallenge } from './challenges';
import { readSignIn, verifySignIn } from './passkey-responses.server';
import { reportPasskey } from './passkeys';

/** The error for a response that came too late, twice, or from another browser. */
export function expiredChallenge(): DomainError {
  return new DomainError('Invalid', {
    code: 'passkey_expired',
    message: 'This request has expired or was already used. Please try again.',
  });
}

function unknownPasskey(): DomainError {
  return new DomainError('NotAuthenticated', {
    code: 'passkey_unknown',
    message:
      'This passkey no longer works: it was removed from its account, or the account was deleted. Please sign in another way, and delete the passkey from your browser or password manager.',
  });
}

function refusedPasskey(): DomainError {
  return new DomainError('Forbidden', {
    code: 'passkey_refused',
    message:
      'This passkey was refused because it may have been copied. Please sign in another way, remove it on your account page, and add a new one.',
  });
}

/**
 * Whether the counter decreased or did not change, which shows that a copy of the authenticator was used. Synced passkeys
 * always have 0 (WebAuthn Level 3, section 7.2, step 22).
 */
function isCopied(counter: number, stored: number): boolean {
  return (counter > 0 || stored > 0) && counter <= stored;
}

/**
 * Signs in with a passkey, without a code. Throws `Invalid` `passkey_invalid` or `passkey_expired`; `NotAuthenticated`
 * `passkey_unknown`; `Forbidden` `passkey_refused` once its counter has decreased, which is mailed to the owner, or
 * `account_disabled`.
 */
export async function signInWithPasskey(
  context: AccountsContext,
  {
    passkeys,
    response: text,
    holder,
    ...client
  }: { passkeys: PasskeyConfig; response: string; holder: string } & SigningIn,
): Promise<SignedIn> {
  const { db, clock } = context;
  const answer = await readSignIn(text);
  if (!(await spendChallenge(db, context, { challenge: answer.challenge, holder }))) throw expiredChallenge();
  const known = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', answer.response.id)
    .executeTakeFirst();
  if (known === undefined) throw unknownPasskey();
  const counter = await verifySignIn(passkeys, answer, known);
  const outcome = await inTransaction(
    db,
    async (
      trx,
    ): Promise<SignedIn | Disabled | { kind: 'unknown' } | { kind: 'refused'; due: DueDelivery[] }> => {
      const now = clock.now();
      // It may have been removed, or used, while the signature was checked.
      const passkey = await trx
        .selectFrom('passkeys')
        .selectAll()
        .where('id', '=', known.id)
        .executeTakeFirst();
      if (passkey === undefined) return { kind: 'unknown' };
      const account = await trx
        .selectFrom('users')
        .selectAll()
        .where('id', '=', passkey.user_id)
        .executeTakeFirstOrThrow();
      const change = trx.updateTable('passkeys').where('id', '=', passkey.id);
      if (passkey.refused_at !== null) return { kind: 'refused', due: [] };
      if (isCopied(counter, passkey.counter)) {
        await change.set({ refused_at: toIso(now) }).execute();
        return {
          kind: 'refused',
          due: await reportPasskey(trx, context, { account, passkey, change: 'refused', now }),
        };
      }
      const signedIn = await openSession(trx, context, { account, by: 'passkey', ...client });
      if (signedIn.kind === 'session') await change.set({ counter, last_used_at: toIso(now) }).execute();
      return signedIn;
    },
  );
  if (outcome.kind === 'unknown') throw unknownPasskey();
  if (outcome.kind !== 'refused') return requireSignedIn(outcome);
  context.mail.notifyQueue(outcome.due);
  throw refusedPasskey();
}

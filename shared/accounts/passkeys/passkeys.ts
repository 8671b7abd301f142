import type { Selectable } from 'kysely';
import { writeAudit } from '../../audit/write-audit';
import { toIso, type Clock } from '../../clock';
import type { Database, Transaction } from '../../database/schema';
import type { PasskeysTable } from '../../database/tables/accounts';
import { inTransaction } from '../../database/transaction';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import { addMail, SIGN_IN_MAIL_LIFETIME_MS } from '../../mail/mails';
import type { PasskeyMail } from '../../mail/passkey-mail';
import type { DueDelivery } from '../../queues/catalogue';
import { requiredLine } from '../../text';
import type { Account } from '../account';
import type { AccountsContext } from '../accounts-context';
import type { NewPasskey } from './passkey-responses.server';

export type Passkey = Selectable<PasskeysTable>;

/** The passkeys of one account. */
export const MAX_PASSKEYS = 12;

/** The name that its owner gives a passkey. */
export const passkeyNameField = requiredLine(60, 'Please enter a name.');

/** The passkeys of an account, the oldest first. */
export function listPasskeys(db: Database, accountId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Throws `Conflict` `too_many_passkeys`. */
export function requireRoom(passkeys: readonly Passkey[]): void {
  if (passkeys.length < MAX_PASSKEYS) return;
  throw new DomainError('Conflict', {
    code: 'too_many_passkeys',
    message: `An account can have ${MAX_PASSKEYS} passkeys. Please remove one first.`,
  });
}

/** Writes the audit log and mails the owner, in the transaction of the change. Then `MailOutbox.notifyQueue`. */
export async function reportPasskey(
  trx: Transaction,
  { mail }: Pick<AccountsContext, 'mail'>,
  {
    account,
    passkey,
    change,
    now,
  }: { account: Account; passkey: Pick<Passkey, 'id' | 'name'>; change: PasskeyMail['change']; now: number },
): Promise<DueDelivery[]> {
  await writeAudit(
    trx,
    {
      actor: { userId: account.id },
      action: `account.passkey_${change}`,
      subject: account.id,
      details: { passkey: passkey.id },
    },
    now,
  );
  if (!mail.enabled) return [];
  const facts: PasskeyMail = { template: 'passkey', change, name: passkey.name, at: toIso(now) };
  const expiresAt = now + SIGN_IN_MAIL_LIFETIME_MS;
  return [await addMail(trx, { to: account.email, template: facts.template, facts, expiresAt }, now)];
}

/** Stores a verified passkey. Throws `Conflict` `too_many_passkeys`, or `passkey_exists` when an account has it already. */
export async function addPasskey(
  context: Pick<AccountsContext, 'db' | 'clock' | 'mail'>,
  { account, made, name }: { account: Account; made: NewPasskey; name: string },
): Promise<Passkey> {
  const { passkey, due } = await inTransaction(context.db, async (trx) => {
    const now = context.clock.now();
    requireRoom(await listPasskeys(trx, account.id));
    const added = await trx
      .insertInto('passkeys')
      .values({
        id: newId(),
        user_id: account.id,
        credential_id: made.credentialId,
        public_key: made.publicKey,
        counter: made.counter,
        name,
        created_at: toIso(now),
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (added === undefined)
      throw new DomainError('Conflict', {
        code: 'passkey_exists',
        message: 'This passkey is already stored.',
      });
    return {
      passkey: added,
      due: await reportPasskey(trx, context, { account, passkey: added, change: 'added', now }),
    };
  });
  context.mail.notifyQueue(due);
  return passkey;
}

function notFound(): DomainError {
  return new DomainError('NotFound', {
    code: 'passkey_not_found',
    message: 'This passkey has already been removed.',
  });
}

/** Renames a passkey of the account. Throws `NotFound` `passkey_not_found`. */
export async function renamePasskey(
  db: Database,
  { accountId, id, name }: { accountId: string; id: string; name: string },
): Promise<void> {
  const { numUpdatedRows } = await inTransaction(db, (trx) =>
    trx
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', accountId)
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) throw notFound();
}

/** Removes a passkey of the account, and mails the owner. Throws `NotFound` `passkey_not_found`. */
export async function removePasskey(
  context: { db: Database; clock: Clock; mail: AccountsContext['mail'] },
  { account, id }: { account: Account; id: string },
): Promise<Passkey> {
  const { passkey, due } = await inTransaction(context.db, async (trx) => {
    const removed = await trx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', account.id)
      .returningAll()
      .executeTakeFirst();
    if (removed === undefined) throw notFound();
    const report = { account, passkey: removed, change: 'removed', now: context.clock.now() } as const;
    return { passkey: removed, due: await reportPasskey(trx, context, report) };
  });
  context.mail.notifyQueue(due);
  return passkey;
}

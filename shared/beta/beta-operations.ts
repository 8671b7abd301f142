import { z } from 'zod';
import type { Viewer, Account } from '../accounts/account';
import { type WriteContext, inTransaction } from '../database/transaction';
import { type MailOutbox, BETA_MAIL_LIFETIME_MS, addMail } from '../mail/mails';
import { operation, type Admin } from '../operation';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { DomainError } from '../errors';
import { writeAudit, type Actor } from '../audit/write-audit';
import type { DueDelivery } from '../queues/catalogue';
import { requestRolesOf } from '../roles/request-roles';
import { BETA_USER_COLUMNS, type BetaUser } from './read-beta';

/** Requests beta access. Throws `Conflict` when it is already requested or approved. Returns the changed account. */
export async function requestBeta(
  db: Database,
  { accountId, clock }: { accountId: string; clock: Clock },
): Promise<Account> {
  const stamp = toIso(clock.now());
  const account = await inTransaction(db, (trx) =>
    trx
      .updateTable('users')
      .set({ beta_requested_at: stamp, beta_ever_requested: 1, updated_at: stamp })
      .where('id', '=', accountId)
      .where('beta_requested_at', 'is', null)
      .where('beta_approved_at', 'is', null)
      .returningAll()
      .executeTakeFirst(),
  );
  if (account !== undefined) return account;
  throw new DomainError('Conflict', {
    code: 'beta_already_requested',
    message: 'You have already requested beta access.',
  });
}

interface Decision {
  accountId: string;
  actor: Actor;
  clock: Clock;
}

/** The refusal of a decision that changed nothing: `NotFound` for an unknown account, else `conflict`. */
async function refusalOf(trx: Transaction, accountId: string, conflict: DomainError): Promise<DomainError> {
  const account = await trx.selectFrom('users').select('id').where('id', '=', accountId).executeTakeFirst();
  return account === undefined
    ? new DomainError('NotFound', { code: 'unknown_user', message: 'This user does not exist.' })
    : conflict;
}

/**
 * Approves a pending request, writes the audit log and, unless mail is switched off, mails the user. Throws
 * `NotFound`, or `Conflict` when no request is pending, for example because another admin has approved it.
 */
export async function approveBeta(
  db: Database,
  { accountId, actor, clock, mail }: Decision & { mail: MailOutbox },
): Promise<BetaUser> {
  const { user, due } = await inTransaction(db, async (trx) => {
    const now = clock.now();
    const stamp = toIso(now);
    const approved = await trx
      .updateTable('users')
      .set({ beta_approved_at: stamp, updated_at: stamp })
      .where('id', '=', accountId)
      .where('beta_requested_at', 'is not', null)
      .where('beta_approved_at', 'is', null)
      .returning(BETA_USER_COLUMNS)
      .executeTakeFirst();
    if (approved === undefined) {
      const message = 'This user no longer has a pending request.';
      throw await refusalOf(
        trx,
        accountId,
        new DomainError('Conflict', { code: 'beta_not_pending', message }),
      );
    }
    await writeAudit(trx, { actor, action: 'beta.approve', subject: accountId }, now);
    await requestRolesOf(trx, accountId, now);
    const notice = {
      to: approved.email,
      template: 'beta_approved',
      expiresAt: now + BETA_MAIL_LIFETIME_MS,
    } as const;
    const mails: DueDelivery[] = mail.enabled ? [await addMail(trx, notice, now)] : [];
    return { user: approved, due: mails };
  });
  mail.notifyQueue(due);
  return user;
}

/** Revokes beta access and writes the audit log; it can be requested again. Throws `NotFound`, `Conflict` (no access). */
export function revokeBeta(db: Database, { accountId, actor, clock }: Decision): Promise<BetaUser> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const user = await trx
      .updateTable('users')
      .set({ beta_approved_at: null, beta_requested_at: null, updated_at: toIso(now) })
      .where('id', '=', accountId)
      .where('beta_approved_at', 'is not', null)
      .returning(BETA_USER_COLUMNS)
      .executeTakeFirst();
    if (user === undefined) {
      const message = 'This user no longer has beta access.';
      throw await refusalOf(
        trx,
        accountId,
        new DomainError('Conflict', { code: 'beta_not_approved', message }),
      );
    }
    await writeAudit(trx, { actor, action: 'beta.revoke', subject: accountId }, now);
    await requestRolesOf(trx, accountId, now);
    return user;
  });
}

interface Context extends WriteContext {
  mail: MailOutbox;
}

const input = z.object({ id: z.string().max(64) });

export const betaOperations = {
  request: operation({
    access: 'member',
    limit: 'accountWrite',
    run: ({ db, clock }: Context, { account }: Viewer) => requestBeta(db, { accountId: account.id, clock }),
  }),
  approve: operation({
    access: 'admin',
    input,
    run: ({ db, clock, mail }: Context, { actor }: Admin, { id }) =>
      approveBeta(db, { accountId: id, actor, clock, mail }),
    sentence: 'User approved.',
  }),
  revoke: operation({
    access: 'admin',
    input,
    run: ({ db, clock }: Context, { actor }: Admin, { id }) =>
      revokeBeta(db, { accountId: id, actor, clock }),
    sentence: 'Beta access revoked.',
  }),
};

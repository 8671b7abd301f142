import { randomInt } from 'node:crypto';
import type { ExpressionBuilder, Selectable } from 'kysely';
import { HOUR, MINUTE, toIso } from '../../clock';
import type { Schema, Transaction } from '../../database/schema';
import type { VerificationCodesTable } from '../../database/tables/accounts';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import { addMail, cancelCodeMails } from '../../mail/mails';
import type { DueDelivery } from '../../queues/catalogue';
import type { Keyring } from '../../secrets.server';
import type { Account } from '../account';
import { countCodeRequest, type AnonymousRequest, type ProvenRequest } from './code-allowance';

export const CODE_LIFETIME_MS = 10 * MINUTE;
/** Also enforced by the database's check on `tries`. */
const TRIES_PER_CODE = 5;
/** A resend does not continue a sign-in that began longer ago. */
const SIGN_IN_LIFETIME_MS = HOUR;

export type VerificationCode = Selectable<VerificationCodesTable>;

/** The effect of a code besides confirming the address. */
export interface CodePurpose {
  /** The registration whose password is kept. */
  registrationId: string | null;
  /** The Discord account that is linked. */
  discord: { id: string; username: string; avatar: string | null } | null;
}

/** The purpose of a stored code, for the code that replaces it. */
export function purposeOf(code: VerificationCode | null): CodePurpose {
  return {
    registrationId: code?.registration_id ?? null,
    discord:
      code === null || code.discord_id === null
        ? null
        : {
            id: code.discord_id,
            username: code.discord_username ?? '',
            avatar: code.discord_avatar,
          },
  };
}

interface CodeContext {
  keyring: Keyring;
  now: number;
}

function codeText(id: string, code: string): string {
  return `${id}:${code}`;
}

/** The codes that one browser requested; null: those requested by API calls without cookies. */
function requestedBy(keyring: Keyring, browserKey: string | null) {
  return (where: ExpressionBuilder<Schema, 'verification_codes'>) =>
    browserKey === null
      ? where('browser_hash', 'is', null)
      : where('browser_hash', 'in', keyring.hashes('browser', browserKey));
}

/**
 * Issues the only live code of a sign-in, with its mail. Replaces earlier codes of the same browser, or of API calls
 * without cookies; but an anonymous API call never replaces the code of a proven sign-in. Pass the result to
 * `MailOutbox.notifyQueue` after the commit.
 */
export async function issueCode(
  trx: Transaction,
  { keyring, now }: CodeContext,
  {
    account,
    browserKey,
    purpose,
    request,
  }: {
    account: Account;
    browserKey: string | null;
    purpose: CodePurpose;
    request: AnonymousRequest | ProvenRequest;
  },
): Promise<DueDelivery> {
  const proof = 'proof' in request ? request.proof : null;
  let earlier = trx
    .updateTable('verification_codes')
    .set({ status: 'replaced' })
    .where('user_id', '=', account.id)
    .where('status', '=', 'live')
    .where(requestedBy(keyring, browserKey));
  if (browserKey === null && proof === null) earlier = earlier.where('proof', 'is', null);
  const replaced = await earlier.returning('id').execute();
  await cancelCodeMails(
    trx,
    replaced.map((row) => row.id),
    now,
  );

  const id = newId();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const expiresAt = now + CODE_LIFETIME_MS;
  await trx
    .insertInto('verification_codes')
    .values({
      id,
      user_id: account.id,
      code_hash: keyring.hash('code', codeText(id, code)),
      browser_hash: browserKey === null ? null : keyring.hash('browser', browserKey),
      proof,
      registration_id: purpose.registrationId,
      discord_id: purpose.discord?.id ?? null,
      discord_username: purpose.discord?.username ?? null,
      discord_avatar: purpose.discord?.avatar ?? null,
      status: 'live',
      created_at: toIso(now),
      expires_at: toIso(expiresAt),
    })
    .execute();
  await countCodeRequest(trx, { keyring, now }, request);
  const sealed = keyring.seal('mail', code);
  return addMail(
    trx,
    { to: account.email, template: 'code', code: { verificationCodeId: id, sealed }, expiresAt },
    now,
  );
}

/** The codes of this browser's sign-in, newest first; with null, of API calls without cookies. */
function codesOf(
  trx: Transaction,
  keyring: Keyring,
  { accountId, browserKey }: { accountId: string; browserKey: string | null },
) {
  return trx
    .selectFrom('verification_codes')
    .selectAll()
    .where('user_id', '=', accountId)
    .where(requestedBy(keyring, browserKey))
    .orderBy('created_at', 'desc');
}

/** Finds the live code of this browser's sign-in; with null, the newest live code of API calls without cookies. */
export async function findLiveCode(
  trx: Transaction,
  { keyring, now }: CodeContext,
  requester: { accountId: string; browserKey: string | null },
): Promise<VerificationCode | null> {
  const code = await codesOf(trx, keyring, requester)
    .where('status', '=', 'live')
    .where('expires_at', '>', toIso(now))
    .executeTakeFirst();
  return code ?? null;
}

/** Finds the newest code, live or not, of this browser's sign-in; with null, of API calls without cookies. */
export async function findLatestCode(
  trx: Transaction,
  { keyring, now }: CodeContext,
  requester: { accountId: string; browserKey: string | null },
): Promise<VerificationCode | null> {
  const code = await codesOf(trx, keyring, requester)
    .where('created_at', '>', toIso(now - SIGN_IN_LIFETIME_MS))
    .executeTakeFirst();
  return code ?? null;
}

/** Ends the codes that only confirm the account's address, once it is confirmed, and cancels their mails. */
export async function endConfirmingCodes(
  trx: Transaction,
  { accountId, now }: { accountId: string; now: number },
): Promise<void> {
  const ended = await trx
    .updateTable('verification_codes')
    .set({ status: 'replaced' })
    .where('user_id', '=', accountId)
    .where('status', '=', 'live')
    .where('discord_id', 'is', null)
    .returning('id')
    .execute();
  await cancelCodeMails(
    trx,
    ended.map((row) => row.id),
    now,
  );
}

/**
 * Tries a code against the live codes of this browser's sign-in; with null, against those of API calls without
 * cookies. Codes of other sign-ins lose no tries. The try is counted before the comparison, in one statement, so that
 * concurrent tries cannot share one. Returns the matching code, which is then used up. Commit the transaction in any
 * case: a rolled-back try would be free.
 */
export async function tryCode(
  trx: Transaction,
  { keyring, now }: CodeContext,
  { accountId, code, browserKey }: { accountId: string; code: string; browserKey: string | null },
): Promise<VerificationCode | null> {
  const rows = await trx
    .updateTable('verification_codes')
    .set((set) => ({ tries: set('tries', '+', 1) }))
    .where('user_id', '=', accountId)
    .where('status', '=', 'live')
    .where('expires_at', '>', toIso(now))
    .where('tries', '<', TRIES_PER_CODE)
    .where(requestedBy(keyring, browserKey))
    .returningAll()
    .execute();
  const right = rows.find((row) => keyring.matches('code', codeText(row.id, code), row.code_hash)) ?? null;
  const over = rows.filter((row) => row === right || row.tries >= TRIES_PER_CODE);
  for (const row of over) {
    await trx
      .updateTable('verification_codes')
      .set({ status: row === right ? 'used' : 'guessed' })
      .where('id', '=', row.id)
      .execute();
  }
  await cancelCodeMails(
    trx,
    over.map((row) => row.id),
    now,
  );
  return right;
}

/** The refusal of a code that is wrong, used, expired, replaced, guessed too often or of another session. */
export function invalidCode(): DomainError {
  const message = 'This code is wrong or no longer valid. Please check it or request a new one.';
  return new DomainError('Invalid', { code: 'invalid_code', message, fieldErrors: { code: [message] } });
}

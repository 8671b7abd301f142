import { randomInt } from 'node:crypto';
import type { Selectable, Transaction } from 'kysely';
import { HOUR, MINUTE, toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { VerificationCodesTable } from '../database/tables/verification-codes';
import { newId } from '../ids';
import type { Keyring } from '../keyring.server';
import { addMail, cancelCodeMails } from '../mail/outbox';
import type { DueDelivery } from '../queues/catalogue';
import type { Account } from './account';
import { countCodeRequest } from './code-allowance';

export const CODE_LASTS_MS = 10 * MINUTE;
/** The database's check on `tries` says the same. */
export const TRIES_PER_CODE = 5;
/** A sign-in that was begun longer ago is not continued by a resend. */
const SIGN_IN_LASTS_MS = HOUR;

export type VerificationCode = Selectable<VerificationCodesTable>;

/** What a code brings about besides confirming the address. */
export interface CodeMeaning {
  /** The registration whose password stays. */
  registrationId: string | null;
  /** The Discord account that is linked. */
  discord: { id: string; username: string; avatar: string | null } | null;
}

/** What a code means that was asked for earlier, for the one that takes its place. */
export function meaningOf(code: VerificationCode | null): CodeMeaning {
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

/**
 * Makes the account's one live code and the mail that brings it; an earlier code is of no use from now on.
 * Hand the result to `MailOutbox.wake` after the commit.
 */
export async function issueCode(
  trx: Transaction<Schema>,
  { keyring, now }: CodeContext,
  { account, browserKey, meaning }: { account: Account; browserKey: string | null; meaning: CodeMeaning },
): Promise<DueDelivery> {
  const replaced = await trx
    .updateTable('verification_codes')
    .set({ status: 'replaced' })
    .where('user_id', '=', account.id)
    .where('status', '=', 'live')
    .returning('id')
    .execute();
  await cancelCodeMails(
    trx,
    replaced.map((row) => row.id),
    now,
  );

  const id = newId();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const expiresAt = now + CODE_LASTS_MS;
  await trx
    .insertInto('verification_codes')
    .values({
      id,
      user_id: account.id,
      code_hash: keyring.hash('code', codeText(id, code)),
      browser_hash: browserKey === null ? null : keyring.hash('browser', browserKey),
      registration_id: meaning.registrationId,
      discord_id: meaning.discord?.id ?? null,
      discord_username: meaning.discord?.username ?? null,
      discord_avatar: meaning.discord?.avatar ?? null,
      status: 'live',
      created_at: toIso(now),
      expires_at: toIso(expiresAt),
    })
    .execute();
  await countCodeRequest(trx, { keyring, email: account.email, now });
  const sealed = keyring.seal('mail', code);
  return addMail(
    trx,
    { to: account.email, template: 'code', code: { verificationCodeId: id, sealed }, expiresAt },
    now,
  );
}

/** The account's live code, if it has one. */
export async function findLiveCode(
  trx: Transaction<Schema>,
  { accountId, now }: { accountId: string; now: number },
): Promise<VerificationCode | null> {
  const code = await trx
    .selectFrom('verification_codes')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('status', '=', 'live')
    .where('expires_at', '>', toIso(now))
    .executeTakeFirst();
  return code ?? null;
}

/** The newest code that this browser's sign-in asked for; with null, that a bare API call asked for. */
export async function findBrowsersCode(
  trx: Transaction<Schema>,
  { keyring, now }: CodeContext,
  { accountId, browserKey }: { accountId: string; browserKey: string | null },
): Promise<VerificationCode | null> {
  const code = await trx
    .selectFrom('verification_codes')
    .selectAll()
    .where('user_id', '=', accountId)
    .where('created_at', '>', toIso(now - SIGN_IN_LASTS_MS))
    .where((where) =>
      browserKey === null
        ? where('browser_hash', 'is', null)
        : where('browser_hash', 'in', keyring.hashes('browser', browserKey)),
    )
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return code ?? null;
}

/** Whether a code was asked for by this browser. A bare API call shows no key and needs none. */
export function belongsToBrowser(
  { keyring }: Pick<CodeContext, 'keyring'>,
  code: VerificationCode,
  browserKey: string | null,
): boolean {
  if (browserKey === null) return true;
  return code.browser_hash !== null && keyring.matches('browser', browserKey, code.browser_hash);
}

/**
 * One try at the account's live code. The try is counted before the code is looked at, in one statement, so that
 * tries made at the same moment cannot share one. Returns the code when it is right; it is used up by that. Whatever
 * the answer, the transaction must be committed: a try that is rolled back would be free.
 */
export async function tryCode(
  trx: Transaction<Schema>,
  { keyring, now }: CodeContext,
  { accountId, code, browserKey }: { accountId: string; code: string; browserKey: string | null },
): Promise<VerificationCode | null> {
  const row = await trx
    .updateTable('verification_codes')
    .set((set) => ({ tries: set('tries', '+', 1) }))
    .where('user_id', '=', accountId)
    .where('status', '=', 'live')
    .where('expires_at', '>', toIso(now))
    .where('tries', '<', TRIES_PER_CODE)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  const isRight =
    keyring.matches('code', codeText(row.id, code), row.code_hash) &&
    belongsToBrowser({ keyring }, row, browserKey);
  if (!isRight && row.tries < TRIES_PER_CODE) return null;
  await trx
    .updateTable('verification_codes')
    .set({ status: isRight ? 'used' : 'guessed' })
    .where('id', '=', row.id)
    .execute();
  await cancelCodeMails(trx, [row.id], now);
  return isRight ? row : null;
}

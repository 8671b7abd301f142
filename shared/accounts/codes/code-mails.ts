import type { Transaction } from 'kysely';
import { fromIso } from '../../clock';
import type { Schema } from '../../database/schema';
import type { DueDelivery } from '../../queues/catalogue';
import type { Account } from '../account';
import type { AccountsContext } from '../accounts-context';
import {
  proofOf,
  readProvenWait,
  RESEND_WAIT_MS,
  codeTooSoon,
  countCodeRequest,
  type AnonymousRequest,
} from './code-allowance';
import { findLiveCode, issueCode, purposeOf, type CodePurpose } from './verification-codes';
import type { Keyring } from '../../secrets.server';
import { NOTICE_MAIL_LASTS_MS, addMail } from '../../mail/mails';

function isSamePurpose(one: CodePurpose, other: CodePurpose): boolean {
  return one.registrationId === other.registrationId && one.discord?.id === other.discord?.id;
}

/**
 * The code that a proven sign-in needs before it may go on: a new one of its own, or the browser's live one when that is
 * seconds old. Requests of other callers make no difference. Throws `RateLimited` when the sign-in has had its share of
 * mail and no code of it is live.
 */
export async function ensureCode(
  trx: Transaction<Schema>,
  { keyring, clock }: Pick<AccountsContext, 'keyring' | 'clock'>,
  { account, browserKey, purpose }: { account: Account; browserKey: string | null; purpose: CodePurpose },
): Promise<DueDelivery[]> {
  const now = clock.now();
  const context = { keyring, now };
  const live = await findLiveCode(trx, context, { accountId: account.id, browserKey });
  const own = live !== null && isSamePurpose(purposeOf(live), purpose) ? live : null;
  if (own !== null && fromIso(own.created_at) + RESEND_WAIT_MS > now) return [];
  const request = { email: account.email, proof: proofOf(purpose) };
  const waitMs = await readProvenWait(trx, context, request);
  if (waitMs > 0) {
    if (own !== null) return [];
    throw codeTooSoon(waitMs);
  }
  return [await issueCode(trx, context, { account, browserKey, purpose, request })];
}

/**
 * Tells the owner of a confirmed account that its address was used to register; only the owner hears of it. It counts as
 * a request for a code. Hand the result to `MailOutbox.notifyQueue` after the commit.
 */
export async function sendRegistrationNotice(
  trx: Transaction<Schema>,
  { keyring, now }: { keyring: Keyring; now: number },
  { account, request }: { account: Account; request: AnonymousRequest },
): Promise<DueDelivery> {
  await countCodeRequest(trx, { keyring, now }, request);
  return addMail(
    trx,
    { to: account.email, template: 'already_registered', expiresAt: now + NOTICE_MAIL_LASTS_MS },
    now,
  );
}

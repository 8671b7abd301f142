import { fromIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import { NOTICE_MAIL_LIFETIME_MS, addMail } from '../../mail/mails';
import type { DueDelivery } from '../../queues/catalogue';
import type { Keyring } from '../../secrets.server';
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

function isSamePurpose(one: CodePurpose, other: CodePurpose): boolean {
  return one.registrationId === other.registrationId && one.discord?.id === other.discord?.id;
}

/**
 * Ensures that a proven sign-in has a code: issues one, or keeps the live code of this browser that is seconds old.
 * Requests of other callers do not count. Throws `RateLimited` when the sign-in has used up its mails and has no live
 * code.
 */
export async function ensureCode(
  trx: Transaction,
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

/** Mails the owner that somebody tried to register the address; counts as a code. Call `MailOutbox.notifyQueue` next. */
export async function sendRegistrationNotice(
  trx: Transaction,
  { keyring, now }: { keyring: Keyring; now: number },
  { account, request }: { account: Account; request: AnonymousRequest },
): Promise<DueDelivery> {
  await countCodeRequest(trx, { keyring, now }, request);
  return addMail(
    trx,
    { to: account.email, template: 'already_registered', expiresAt: now + NOTICE_MAIL_LIFETIME_MS },
    now,
  );
}

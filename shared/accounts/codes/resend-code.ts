import { fromIso } from '../../clock';
import type { Transaction } from '../../database/schema';
import { inTransaction } from '../../database/transaction';
import type { DueDelivery } from '../../queues/catalogue';
import { findAccountByEmail } from '../account';
import { requireMail, type AccountsContext } from '../accounts-context';
import {
  countCodeRequest,
  readAnonymousAllowance,
  readProvenWait,
  RESEND_WAIT_MS,
  codeTooSoon,
  type AnonymousRequest,
  type ProvenRequest,
} from './code-allowance';
import { sendRegistrationNotice } from './code-mails';
import { findLatestCode, issueCode, purposeOf, type VerificationCode } from './verification-codes';

type Limits = Pick<AccountsContext, 'keyring'> & { now: number };

async function anonymousWait(trx: Transaction, limits: Limits, request: AnonymousRequest): Promise<number> {
  const { tooSoonMs, fullMs } = await readAnonymousAllowance(trx, limits, request);
  return Math.max(tooSoonMs, fullMs);
}

async function provenWait(
  trx: Transaction,
  limits: Limits,
  { request, earlier }: { request: ProvenRequest; earlier: VerificationCode },
): Promise<number> {
  const tooSoonMs = fromIso(earlier.created_at) + RESEND_WAIT_MS - limits.now;
  return Math.max(tooSoonMs, await readProvenWait(trx, limits, request));
}

/**
 * Sends another code for the sign-in of this browser, or, without one, a code that only confirms the address.
 * Responses do not depend on whether the address needs a code or exists: a browser that registered with a taken
 * address gets the notice again, and an API call without cookies sends nothing. A proven sign-in has its own
 * allowance. Throws `RateLimited` for a request that comes too soon, `Unavailable` while mail is switched off.
 */
export async function resendCode(context: AccountsContext, request: AnonymousRequest): Promise<void> {
  requireMail(context);
  const { db, clock, keyring } = context;
  const { email, browserKey } = request;
  const due = await inTransaction(db, async (trx): Promise<DueDelivery[]> => {
    const limits = { keyring, now: clock.now() };
    const account = await findAccountByEmail(trx, email);
    const earlier =
      account === null ? null : await findLatestCode(trx, limits, { accountId: account.id, browserKey });
    const purpose = purposeOf(earlier);
    const needsCode = account !== null && (account.email_verified_at === null || purpose.discord !== null);
    // An API call without cookies proves nothing, even after a proven sign-in.
    const proof = browserKey === null || !needsCode ? null : (earlier?.proof ?? null);
    const counted = proof === null ? request : { email, proof };
    const waitMs =
      'proof' in counted && earlier !== null
        ? await provenWait(trx, limits, { request: counted, earlier })
        : await anonymousWait(trx, limits, request);
    if (waitMs > 0) throw codeTooSoon(waitMs);

    if (needsCode) return [await issueCode(trx, limits, { account, browserKey, purpose, request: counted })];
    if (account !== null && browserKey !== null)
      return [await sendRegistrationNotice(trx, limits, { account, request })];
    await countCodeRequest(trx, limits, request);
    return [];
  });
  context.mail.notifyQueue(due);
}

import type { Transaction } from '../database/schema';
import type { PaymentMail } from '../mail/payment-mails';
import type { PaymentReading, PaymentTerms, StoredPurchase } from './stripe-payment.server';
import { appendEntry } from './token-ledger';

interface LedgerRow {
  kind: string;
  tokens: number;
  source_id: string | null;
}

const sumOf = (rows: readonly LedgerRow[], kinds: readonly string[]): number =>
  rows.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { tokens }) => sum + tokens, 0);

/** Names the cause of a ledger row. The same cause can return, such as a refund that failed and was made again. */
function sourceOf(rows: readonly LedgerRow[], cause: string): string {
  const earlier = rows.filter(({ source_id }) => source_id === cause || source_id?.startsWith(`${cause}#`));
  return earlier.length === 0 ? cause : `${cause}#${earlier.length + 1}`;
}

/** The tokens that refunds or disputes of `pence` take back in all, rounded up; never more than were bought. */
function tokensFor(
  { token_count, amount_pence }: Pick<StoredPurchase, 'token_count' | 'amount_pence'>,
  pence: number,
): number {
  return Math.min(Math.ceil((token_count * pence) / amount_pence), token_count);
}

/**
 * Appends the missing ledger rows of a paid purchase: its tokens, what refunds and disputes take back, and what a won
 * dispute returns. Compares the ledger with Stripe's state, so a second run appends nothing. Returns the mails that report
 * the rows.
 */
export async function settleLedger(
  trx: Transaction,
  {
    row,
    terms,
    reading,
    now,
  }: { row: StoredPurchase; terms: PaymentTerms; reading: PaymentReading; now: number },
): Promise<PaymentMail[]> {
  const mails: PaymentMail[] = [];
  if (terms.status !== 'completed') return mails;
  const { id: purchaseId, user_id: accountId, package_name: packageName } = row;
  const rows: LedgerRow[] = await trx
    .selectFrom('token_ledger')
    .select(['kind', 'tokens', 'source_id'])
    .where('purchase_id', '=', purchaseId)
    .execute();
  const append = (
    kind: 'purchase' | 'refund' | 'dispute' | 'dispute_won',
    tokens: number,
    cause: string,
  ): Promise<number> => {
    const entry = { kind, tokens, purchase_id: purchaseId, source_id: sourceOf(rows, cause) };
    return appendEntry(trx, { accountId, entry, now });
  };

  if (sumOf(rows, ['purchase']) === 0) {
    await append('purchase', row.token_count, purchaseId);
    mails.push({
      template: 'tokens_bought',
      packageName,
      tokenCount: row.token_count,
      amountPence: row.amount_pence,
      paidAt: terms.completed_at ?? row.created_at,
    });
  }

  const refunded = tokensFor(row, terms.refunded_pence);
  const refund = -refunded - sumOf(rows, ['refund']);
  if (refund !== 0) {
    const balance = await append('refund', refund, `${purchaseId}:refunded:${terms.refunded_pence}`);
    if (refund < 0)
      mails.push({
        template: 'tokens_taken_back',
        reason: 'refund',
        packageName,
        amountPence: Math.max(terms.refunded_pence - row.refunded_pence, 0),
        tokens: -refund,
        balance,
      });
  }

  const taken = Math.min(tokensFor(row, reading.disputedPence), row.token_count - refunded);
  const disputed = -taken - sumOf(rows, ['dispute', 'dispute_won']);
  if (disputed === 0) return mails;
  const disputeId = reading.dispute?.id ?? `${purchaseId}:dispute`;
  if (disputed > 0) {
    await append('dispute_won', disputed, `${disputeId}:won`);
    return mails;
  }
  const balance = await append('dispute', disputed, disputeId);
  mails.push({
    template: 'tokens_taken_back',
    reason: 'dispute',
    packageName,
    amountPence: reading.dispute?.amountPence ?? row.amount_pence,
    tokens: -disputed,
    balance,
  });
  return mails;
}

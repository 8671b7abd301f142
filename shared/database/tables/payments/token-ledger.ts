/**
 * Every change of a token balance; append-only. Rows form a chain per account: `balance_before` is the `balance_after` of
 * the row before, held by a foreign key, so the last `balance_after` is the sum of all `tokens`.
 */
export interface TokenLedgerTable {
  id: string;
  user_id: string;
  /** 1, 2, 3 … per account. */
  seq: number;
  /** `seq` - 1; null in the first row. */
  previous_seq: number | null;
  kind: 'purchase' | 'consume' | 'refund' | 'dispute' | 'dispute_won';
  /** Negative: taken. */
  tokens: number;
  balance_before: number;
  /** Below zero only after a refund or a dispute. */
  balance_after: number;
  /** The task of a `consume`; one row per account and task. */
  task_id: string | null;
  purchase_id: string | null;
  /** What caused the row, such as a purchase or a refund; one row per source. Null for `consume`. */
  source_id: string | null;
  created_at: string;
}

import type { Selectable } from 'kysely';
import type { Database } from '../database/schema';
import type { PaymentCustomersTable } from '../database/tables/payments/payments';
import type {
  SubscriptionInvoicesTable,
  SubscriptionReversalsTable,
} from '../database/tables/payments/subscriptions';
import type { TokenLedgerTable, TokenPurchasesTable } from '../database/tables/payments/tokens';
import { readMembership, type Membership, type StoredSubscription } from '../subscriptions/membership';
import { readBalance } from '../tokens/token-ledger';
import { listEvents } from './list-events';
import type { PaymentEvent } from './payment-events';

/** The stored payments of an account, newest first. Contains no secrets. */
export interface AccountPayments {
  membership: Membership;
  customers: Omit<Selectable<PaymentCustomersTable>, 'user_id'>[];
  subscriptions: Omit<StoredSubscription, 'user_id'>[];
  invoices: Selectable<SubscriptionInvoicesTable>[];
  /** Refunds and disputes of subscription payments; those of token purchases are in `purchases` and the ledger. */
  reversals: Selectable<SubscriptionReversalsTable>[];
  purchases: Omit<Selectable<TokenPurchasesTable>, 'user_id'>[];
  balance: number;
  ledger: Pick<
    Selectable<TokenLedgerTable>,
    'seq' | 'kind' | 'tokens' | 'balance_after' | 'task_id' | 'purchase_id' | 'created_at'
  >[];
  events: PaymentEvent[];
}

/** Reads the payments of an account at `now` (epoch ms), at most `limit` rows of each kind. */
export async function readAccountPayments(
  db: Database,
  { accountId, now, limit }: { accountId: string; now: number; limit: number },
): Promise<AccountPayments> {
  const customers = await db
    .selectFrom('payment_customers')
    .select(['id', 'stripe_customer_id', 'locked_by', 'locked_until', 'deleted_at', 'created_at'])
    .where('user_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .execute();
  const subscriptions = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  const invoices = await db
    .selectFrom('subscription_invoices')
    .selectAll()
    .where('subscription_id', 'in', (from) =>
      from.selectFrom('subscriptions').select('id').where('user_id', '=', accountId),
    )
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  const reversals = await db
    .selectFrom('subscription_reversals')
    .selectAll()
    .where('subscription_id', 'in', (from) =>
      from.selectFrom('subscriptions').select('id').where('user_id', '=', accountId),
    )
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  const purchases = await db
    .selectFrom('token_purchases')
    .selectAll()
    .where('user_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  const ledger = await db
    .selectFrom('token_ledger')
    .select(['seq', 'kind', 'tokens', 'balance_after', 'task_id', 'purchase_id', 'created_at'])
    .where('user_id', '=', accountId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  const stripeCustomerIds = customers.flatMap(({ stripe_customer_id: id }) => (id === null ? [] : [id]));
  return {
    membership: await readMembership(db, { accountId, now }),
    customers,
    subscriptions: subscriptions.map(({ user_id: _owner, ...row }) => row),
    invoices,
    reversals,
    purchases: purchases.map(({ user_id: _owner, ...row }) => row),
    balance: await readBalance(db, { accountId }),
    ledger,
    events: stripeCustomerIds.length === 0 ? [] : await listEvents(db, { stripeCustomerIds, limit }),
  };
}

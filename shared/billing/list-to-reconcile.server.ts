import { DAY, SECOND } from '../clock';
import { idOf } from '../payments/our-objects';
import { requireStripe, type PaymentsContext } from '../payments/payments-context';
import { callStripe } from '../payments/stripe-errors';

/** Refunds that failed come back within weeks; a dispute with its appeal takes months (docs.stripe.com/disputes). */
const REFUNDS_OF_MS = 45 * DAY;
const DISPUTES_OF_MS = 200 * DAY;
/** As long as Stripe keeps events (docs.stripe.com/api/events/list). */
const DELETIONS_OF_MS = 30 * DAY;
const PAGE = 100;

const since = ({ clock }: PaymentsContext, ms: number) => ({
  created: { gte: Math.floor((clock.now() - ms) / SECOND) },
  limit: PAGE,
});

/** The payments that were refunded lately. */
export async function listRefunded(context: PaymentsContext): Promise<string[]> {
  const { client } = requireStripe(context);
  const intents = new Set<string | null>();
  await callStripe(() =>
    client.refunds
      .list(since(context, REFUNDS_OF_MS))
      .autoPagingEach(({ payment_intent }) => void intents.add(idOf(payment_intent))),
  );
  return [...intents].filter((intent) => intent !== null);
}

/** The payments that were disputed lately. */
export async function listDisputed(context: PaymentsContext): Promise<string[]> {
  const { client } = requireStripe(context);
  const intents = new Set<string | null>();
  await callStripe(() =>
    client.disputes
      .list(since(context, DISPUTES_OF_MS))
      .autoPagingEach(({ payment_intent }) => void intents.add(idOf(payment_intent))),
  );
  return [...intents].filter((intent) => intent !== null);
}

/** The customers that were deleted at Stripe lately: the object itself cannot be listed any more. */
export async function listDeletedCustomers(context: PaymentsContext): Promise<string[]> {
  const { client } = requireStripe(context);
  const customers = new Set<string>();
  await callStripe(() =>
    client.events
      .list({ type: 'customer.deleted', ...since(context, DELETIONS_OF_MS) })
      .autoPagingEach((event) => {
        if (event.type === 'customer.deleted') customers.add(event.data.object.id);
      }),
  );
  return [...customers];
}

/** The customer of an account, when it is not known to be deleted. */
export async function listCustomers({ db }: PaymentsContext, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_customers')
    .select('stripe_customer_id as customer')
    .where('user_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.flatMap(({ customer }) => customer ?? []);
}

/** The payments of an account's completed purchases, the newest hundred. */
export async function listPaid({ db }: PaymentsContext, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('token_purchases')
    .select('stripe_payment_intent_id as intent')
    .where('user_id', '=', accountId)
    .where('status', '=', 'completed')
    .where('stripe_payment_intent_id', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(PAGE)
    .execute();
  return rows.flatMap(({ intent }) => intent ?? []);
}

import type Stripe from 'stripe';
import type { Database } from '#shared/database/connection.server';
import { GOODS, type Buyer } from './buyer';

/** Compares what a member paid at Stripe with what the database gave for it. Returns a sentence for each fault. */
export async function auditBuyer(
  db: Database,
  stripe: Stripe,
  { id, email, good }: Buyer,
): Promise<string[]> {
  const { pence, tokens } = GOODS[good];
  const faults: string[] = [];
  const expect = (what: string, found: number, wanted: number) => {
    if (found !== wanted) faults.push(`${email} (${good}): ${what} is ${found}, not ${wanted}`);
  };

  const { data: customers } = await stripe.customers.list({ email, limit: 10 });
  expect('the number of customers at Stripe', customers.length, 1);
  const charged: number[] = [];
  for (const { id: customer } of customers) {
    const { data: payments } = await stripe.paymentIntents.list({ customer, limit: 100 });
    charged.push(
      ...payments.filter(({ status }) => status === 'succeeded').map((one) => one.amount_received),
    );
    const { data: subscriptions } = await stripe.subscriptions.list({
      customer,
      status: 'active',
      limit: 100,
    });
    expect('the number of active subscriptions at Stripe', subscriptions.length, good === 'tokens' ? 0 : 1);
  }
  expect('the number of charges', charged.length, 1);
  expect(
    'the sum of the charges in pence',
    charged.reduce((sum, one) => sum + one, 0),
    pence,
  );

  const ledger = await db.selectFrom('token_ledger').select('tokens').where('user_id', '=', id).execute();
  expect('the number of ledger rows', ledger.length, good === 'tokens' ? 1 : 0);
  expect(
    'the sum of the ledger',
    ledger.reduce((sum, row) => sum + row.tokens, 0),
    tokens,
  );
  const purchases = await db
    .selectFrom('token_purchases')
    .select('id')
    .where('user_id', '=', id)
    .where('status', '=', 'completed')
    .execute();
  expect('the number of completed purchases', purchases.length, good === 'tokens' ? 1 : 0);
  const active = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('user_id', '=', id)
    .where('status', '=', 'active')
    .execute();
  expect('the number of active subscriptions', active.length, good === 'tokens' ? 0 : 1);
  const mails = await db.selectFrom('mails').select('id').where('recipient', '=', email).execute();
  expect('the number of mails', mails.length, 1);
  return faults;
}

import type { Database } from '../database/schema';
import { findAccountOfCustomer, linkCustomer } from './customers.server';
import type { OurMetadata } from './our-objects';
import type { PaymentsContext } from './payments-context';

/** An object at Stripe that we created and whose row is missing. */
export interface LostObject {
  kind: OurMetadata['kind'];
  stripeId: string;
  /** Stripe's status. */
  status: string;
  amountPence: number;
  /** Epoch seconds. */
  created: number;
  /** The account that it belongs to; null: the database has none. */
  accountId: string | null;
  /** Why its row cannot be made again; null: it can. */
  obstacle: string | null;
}

/** The account of an object: the one in its metadata, or of its customer. Null when the database has neither. */
export async function findOwner(
  db: Database,
  { user, stripeCustomerId }: { user: string; stripeCustomerId: string },
): Promise<string | null> {
  const named = await db.selectFrom('users').select('id').where('id', '=', user).executeTakeFirst();
  return named?.id ?? (await findAccountOfCustomer(db, stripeCustomerId));
}

/** Links the account to the customer of an object, unless an account has it. */
export async function linkOwner(
  context: PaymentsContext,
  owner: { accountId: string; stripeCustomerId: string },
): Promise<void> {
  if ((await findAccountOfCustomer(context.db, owner.stripeCustomerId)) === null)
    await linkCustomer(context, owner);
}

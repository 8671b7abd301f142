import { acceptAccount } from '#shared/billing/accept-account.server';
import type { PaymentsContext } from '#shared/payments/payments-context';
import { requireStripe } from '#shared/payments/payments-context';
import { listFaults } from '#shared/payments/payment-faults';
import {
  describeAccount,
  findStoredAccount,
  readStripeAccount,
  type StoredAccount,
} from '#shared/payments/stripe-account.server';
import { formatTime } from '../local-time';
import { OPERATOR, type CommandOutput } from '../terminal';

const describeStored = (stored: StoredAccount | null): string =>
  stored === null
    ? 'none yet: the first request stores it'
    : describeAccount({ id: stored.stripe_account_id, livemode: stored.livemode === 1 });

/** The account that the database refers to, the account of the configured key, and the payment fault. */
export async function showAccount(context: PaymentsContext): Promise<CommandOutput> {
  const account = await readStripeAccount(requireStripe(context));
  const stored = await findStoredAccount(context.db);
  const faults = await listFaults(context.db);
  return {
    lines: [
      `database   ${describeStored(stored)}`,
      `key        ${describeAccount(account)}`,
      ...faults.map(
        ({ fault, reason, since }) => `fault      ${fault}, since ${formatTime(since)}: ${reason}`,
      ),
    ],
    json: {
      success: true,
      stored: stored === null ? null : { id: stored.stripe_account_id, livemode: stored.livemode === 1 },
      key: account,
      faults,
    },
  };
}

/** Makes the database refer to the account of the configured key. */
export async function acceptKey(context: PaymentsContext): Promise<CommandOutput> {
  const { account, changed, noted } = await acceptAccount(context, { actor: OPERATOR });
  if (!changed)
    return {
      lines: [`The database refers to ${describeAccount(account)} already.`],
      json: { success: true, account, changed, noted },
    };
  return {
    lines: [
      `The database refers to ${describeAccount(account)} now.`,
      `${noted} subscriptions and purchases of the former account stay as they are: Pro lasts until the paid period ends, and nothing renews.`,
      'Next: npm run packages -- sync makes the prices of the plans in this account.',
    ],
    json: { success: true, account, changed, noted },
  };
}

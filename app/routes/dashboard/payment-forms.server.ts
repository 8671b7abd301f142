import { z } from 'zod';
import type { Account, Viewer } from '#shared/accounts/account';
import {
  startSubscription,
  startSubscriptionCheckout,
} from '#shared/subscriptions/start-subscription.server';
import { startTokenCheckout, startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import type { CreatedPayment } from '~/components/payment/payment-facts';
import { textField, type FormOutcome, type PageForm } from '../../http/forms/page-forms.server';
import { serverContext } from '../../http/server/context.server';
import { requireBeta } from '~/http/auth/access.server';
import { attemptOutcomeAddress, purchaseOutcomeAddress } from './payment-step.server';

/** Counts a write that asks Stripe. Refusal: 429. */
export function takePayment({ id }: Account): Promise<void> {
  return serverContext().limits.take([{ limit: 'payment', key: id }]);
}

/** Refusals: 403 without beta access, 429. */
async function admitPurchase(account: Account): Promise<void> {
  requireBeta({ account });
  await takePayment(account);
}

const packageFields = z.object({ packageId: textField });

/** The answer to a page that has scripts: it shows the card form. */
const created = (details: CreatedPayment): FormOutcome => ({ stay: true, details });

/** The forms that buy tokens, for the page at `page`, which shows the outcome. */
export function tokenForms(page: string) {
  return {
    'start-tokens': {
      schema: packageFields,
      async run({ packageId }, { viewer: { account } }) {
        await admitPurchase(account);
        const { payments } = serverContext();
        const { purchaseId, ...due } = await startTokenPurchase(payments, { account, packageId });
        return created({ ...due, outcome: purchaseOutcomeAddress(page, purchaseId) });
      },
    },
    'checkout-tokens': {
      schema: packageFields,
      async run({ packageId }, { viewer: { account } }) {
        await admitPurchase(account);
        const { payments } = serverContext();
        const { url } = await startTokenCheckout(payments, { account, packageId, returnTo: page });
        return { to: url };
      },
    },
  } satisfies Record<string, PageForm<typeof packageFields, Viewer>>;
}

/** The forms that start a subscription. */
export const subscriptionForms = {
  'start-subscription': {
    schema: packageFields,
    async run({ packageId }, { viewer: { account } }) {
      await admitPurchase(account);
      const { payments } = serverContext();
      const { attemptId, ...due } = await startSubscription(payments, { account, packageId });
      return created({ ...due, outcome: attemptOutcomeAddress(attemptId) });
    },
  },
  'checkout-subscription': {
    schema: packageFields,
    async run({ packageId }, { viewer: { account } }) {
      await admitPurchase(account);
      const { url } = await startSubscriptionCheckout(serverContext().payments, { account, packageId });
      return { to: url };
    },
  },
} satisfies Record<string, PageForm<typeof packageFields, Viewer>>;

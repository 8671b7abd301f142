import { z } from 'zod';
import { subscriptionOperations } from '#shared/subscriptions/subscription-operations';
import { tokenOperations } from '#shared/tokens/token-operations';
import type { CreatedPayment } from '~/components/payment/payment-facts';
import { operationForm, textField, type FormOutcome } from '../../http/forms/page-forms.server';
import { attemptOutcomeAddress, purchaseOutcomeAddress } from './payment-step.server';

const schema = z.object({ packageId: textField });

/** The answer to a page that has scripts: it shows the card form. */
const created = (details: CreatedPayment) => ({ stay: true, details }) satisfies FormOutcome;

/** The forms that buy tokens, for the page at `page`, which shows the outcome. */
export function tokenForms(page: string) {
  return {
    'start-tokens': operationForm(tokenOperations.startPurchase, {
      schema,
      outcome: ({ purchaseId, ...due }) =>
        created({ ...due, outcome: purchaseOutcomeAddress(page, purchaseId) }),
    }),
    'checkout-tokens': operationForm(tokenOperations.startCheckout, {
      schema,
      input: ({ packageId }) => ({ packageId, returnTo: page }),
      outcome: ({ url }) => ({ to: url }),
    }),
  };
}

export const subscriptionForms = {
  'start-subscription': operationForm(subscriptionOperations.start, {
    schema,
    outcome: ({ attemptId, ...due }) => created({ ...due, outcome: attemptOutcomeAddress(attemptId) }),
  }),
  'checkout-subscription': operationForm(subscriptionOperations.startCheckout, {
    schema,
    outcome: ({ url }) => ({ to: url }),
  }),
};

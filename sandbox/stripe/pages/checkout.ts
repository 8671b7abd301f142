import type Stripe from 'stripe';
import type { BillingStore } from '../billing/billing-store';
import { lineItemsOf, attachedData } from '../billing/checkout/checkout-session';
import { completeCheckout, successUrlOf } from '../billing/hosted';
import { createCardMethod } from './card-form';
import { drawCheckout } from './checkout-page';
import { drawRefusal } from './draw-page';
import { challengeUrl, type HostedResult, type HostedPage } from './hosted-page';
import { checkoutPath } from './paths';

const TITLE = 'Checkout';

/** Hosted Checkout (docs.stripe.com/payments/checkout). */
export function createCheckoutPage(store: BillingStore): HostedPage {
  const pathOf = ({ id }: Stripe.Checkout.Session) => checkoutPath(id);

  function draw(session: Stripe.Checkout.Session, error: string | null): HostedResult {
    const page = drawCheckout(session, lineItemsOf(store, session).data, { action: pathOf(session), error });
    return { status: error === null ? 200 : 402, page };
  }

  /** A session that can no longer be paid; undefined for an open one. */
  function closed({ status }: Stripe.Checkout.Session): HostedResult | undefined {
    if (status === 'open') return undefined;
    return {
      page: drawRefusal(
        TITLE,
        status === 'complete' ? 'You have already paid.' : 'This page has expired. Start again in the shop.',
      ),
    };
  }

  return {
    title: TITLE,
    show(id, { var: { url } }) {
      const session = store.require('checkout.session', id);
      // From the bank's page: show what became of the payment.
      if (!url.searchParams.has('returned')) return closed(session) ?? draw(session, null);
      if (session.status === 'complete') return { location: successUrlOf(session) };
      const intent = store.find('payment_intent', attachedData(store, session).intent ?? '');
      return closed(session) ?? draw(session, intent?.last_payment_error?.message ?? null);
    },
    submit(id, fields) {
      const session = store.require('checkout.session', id);
      // The second of two submissions.
      if (session.status === 'complete') return { location: successUrlOf(session) };
      const refused = closed(session);
      if (refused !== undefined) return refused;
      const card = createCardMethod(store, fields);
      if ('fault' in card) return draw(session, card.fault);
      const outcome = completeCheckout(store, session, card.method.id);
      if (outcome.status === 'declined') return draw(session, outcome.message);
      if (outcome.status === 'requires_action')
        return { location: challengeUrl(outcome.intent.id, `${pathOf(session)}?returned=1`) };
      return { location: successUrlOf(session) };
    },
  };
}

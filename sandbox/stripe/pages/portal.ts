import type Stripe from 'stripe';
import type { BillingStore } from '../billing/billing-store';
import { changeCard, hostedInvoicesOf, setCancelAtPeriodEnd, subscriptionsOf } from '../billing/hosted';
import { attachPaymentMethod, markSetUp, needsAuthentication } from '../payments/payment-methods';
import { createCardMethod, cardFault } from './card-form';
import { drawChallenge } from './challenge-page';
import type { HostedResult, HostedPage } from './hosted-page';
import { portalPath } from './paths';
import { cardName, drawPortal } from './portal-page';

/** The customer portal (docs.stripe.com/customer-management). */
export function createPortal(store: BillingStore): HostedPage {
  const pathOf = ({ id }: Stripe.BillingPortal.Session) => portalPath(id);

  function draw(
    session: Stripe.BillingPortal.Session,
    { error = null, isSaved = false }: { error?: string | null; isSaved?: boolean } = {},
  ): HostedResult {
    const customer = store.require('customer', String(session.customer));
    const [subscription] = subscriptionsOf(store, customer);
    const used = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
    const ending = store.find('subscription', session.flow?.subscription_cancel?.subscription ?? '');
    const page = drawPortal(session, {
      customer,
      method: store.find('payment_method', String(used ?? '')),
      invoices: hostedInvoicesOf(store, customer),
      ending: ending?.cancel_at_period_end === false ? ending : undefined,
      action: pathOf(session),
      error,
      isSaved,
    });
    return { status: error === null ? 200 : 402, page };
  }

  /** Stores the card for later payments. */
  function save(session: Stripe.BillingPortal.Session, method: Stripe.PaymentMethod): HostedResult {
    const customer = store.require('customer', String(session.customer));
    const fault = cardFault(() => attachPaymentMethod(store, method, customer));
    if (fault !== null) return draw(session, { error: fault });
    changeCard(store, customer, method.id);
    return finish(session, `${pathOf(session)}?saved=1`);
  }

  /** A flow with a way back leaves the portal when its task is done. */
  function finish(session: Stripe.BillingPortal.Session, home: string): HostedResult {
    return { location: session.flow?.after_completion?.redirect?.return_url ?? home };
  }

  function submitCard(session: Stripe.BillingPortal.Session, fields: URLSearchParams): HostedResult {
    const card = createCardMethod(store, fields);
    if ('fault' in card) return draw(session, { error: card.fault });
    return needsAuthentication(store, card.method)
      ? { location: `${pathOf(session)}?confirm=${card.method.id}` }
      : save(session, card.method);
  }

  return {
    title: 'Customer portal',
    show(id, { var: { url } }) {
      const session = store.require('billing_portal.session', id);
      const method = store.find('payment_method', url.searchParams.get('confirm') ?? '');
      if (method?.customer !== null || method === undefined)
        return draw(session, { isSaved: url.searchParams.has('saved') });
      const question = `may the shop charge ${cardName(method)} for later payments?`;
      return { page: drawChallenge(question, `${pathOf(session)}?confirm=${method.id}`) };
    },
    submit(id, fields, { var: { url } }) {
      const session = store.require('billing_portal.session', id);
      const confirmed = store.find('payment_method', url.searchParams.get('confirm') ?? '');
      if (confirmed?.customer === null) {
        if (fields.get('outcome') !== 'complete')
          return draw(session, { error: 'We are unable to authenticate your payment method.' });
        markSetUp(store, confirmed);
        return save(session, confirmed);
      }
      const ending = store.find('subscription', session.flow?.subscription_cancel?.subscription ?? '');
      if (fields.get('intent') === 'cancel' && ending !== undefined) {
        setCancelAtPeriodEnd(store, ending, true);
        return finish(session, pathOf(session));
      }
      return submitCard(session, fields);
    },
  };
}

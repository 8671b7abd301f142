import { respondHtml, createApp, redirect, type App, type RequestContext } from '../../http/app';
import type { Changes } from '../../service';
import type { BillingStore } from '../billing/billing-store';
import { StripeError } from '../rest/stripe-error';
import { respondChallengeDone, drawChallenge, paymentQuestion } from './challenge-page';
import { createCheckoutPage } from './checkout-page';
import { drawRefusal } from './draw-page';
import { createInvoicePage } from './invoice-page';
import {
  challengePath,
  checkoutPath,
  invoicePath,
  portalPath,
  type HostedPage,
  type HostedResult,
} from './hosted-page';
import { createPortalPage } from './portal-page';

/** The headers of all hosted pages. They run no scripts and may not be framed, except the bank's page. */
const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'";

/** Stripe's hosted pages: Checkout, customer portal, invoice, and the bank's confirmation. They work without scripts. */
export function createStripePages(store: BillingStore, changes: Changes): App {
  const { intents } = store;
  const app = createApp();

  function respond(result: HostedResult, frames = "frame-ancestors 'none'"): Response {
    if ('location' in result) return redirect(303, result.location);
    return respondHtml(result.status ?? 200, result.page.markup, {
      ...HEADERS,
      'content-security-policy': `${POLICY}; ${frames}`,
    });
  }

  /** Runs a page's handler. A `StripeError` becomes a page with its message. */
  function run(title: string, work: () => HostedResult): Response {
    try {
      store.clock.catchUp();
      return respond(work());
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      return respond({ status: error.status, page: drawRefusal(title, error.message) });
    } finally {
      changes.mark();
    }
  }

  const pages: [string, HostedPage][] = [
    [checkoutPath(':id'), createCheckoutPage(store)],
    [invoicePath(':id'), createInvoicePage(store)],
    [portalPath(':id'), createPortalPage(store)],
  ];
  for (const [path, page] of pages) {
    app.get(path, (context) => run(page.title, () => page.show(idOf(context), context)));
    app.post(path, async (context) => {
      const fields = new URLSearchParams(await context.req.text());
      return run(page.title, () => page.submit(idOf(context), fields, context));
    });
  }

  // Stripe.js shows the bank's page in a frame on the shop's page, so any page may embed it.
  app.get(challengePath(':id'), (context) => {
    const intent = store.find('payment_intent', idOf(context));
    if (intent === undefined)
      return respond({ status: 404, page: drawRefusal('3D Secure', 'There is no such payment.') });
    if (intent.status !== 'requires_action') return leaveChallenge(context);
    const { search, pathname, searchParams } = context.var.url;
    const isFramed = searchParams.has('frame');
    const page = drawChallenge(paymentQuestion(intent), pathname + search, { isFramed });
    return respond({ page }, 'frame-ancestors *');
  });
  app.post(challengePath(':id'), async (context) => {
    const fields = new URLSearchParams(await context.req.text());
    store.clock.catchUp();
    if (store.find('payment_intent', idOf(context)) !== undefined)
      intents.finishChallenge(idOf(context), fields.get('outcome') === 'complete');
    changes.mark();
    return leaveChallenge(context);
  });

  /** Where the buyer goes after the bank's page: back to the hosted page, to the shop, or to Stripe.js around the frame. */
  function leaveChallenge(context: RequestContext): Response {
    const { searchParams } = context.var.url;
    const id = idOf(context);
    const back = searchParams.get('return') ?? '';
    const shop = intents.returnUrlOf(id);
    if (searchParams.has('frame')) return respondChallengeDone();
    // Only a path of the sandbox, never another site.
    if (/^\/[a-z]/.test(back)) return redirect(303, back);
    if (shop === undefined)
      return respond({ page: drawRefusal('3D Secure', 'Your answer is stored. You can close this page.') });
    const { client_secret: secret, status } = store.require('payment_intent', id);
    const address = new URL(shop);
    address.searchParams.set('payment_intent', id);
    address.searchParams.set('payment_intent_client_secret', secret ?? '');
    address.searchParams.set('redirect_status', status === 'succeeded' ? 'succeeded' : 'failed');
    return redirect(303, address.href);
  }

  return app;
}

const idOf = ({ req }: RequestContext) => req.param('id') ?? '';

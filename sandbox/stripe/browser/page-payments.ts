import type { PageApi } from './page-api';
import type { openChallenge } from './page-challenge';
import type { openChannel } from './page-channel';
import type { PageElement } from './page-element';
import type { PageElements } from './page-elements';
import type { ConfirmRequest, Outcome, ScriptError } from './script-types';

interface PaymentParts {
  openChallenge: typeof openChallenge;
  openChannel: typeof openChannel;
}

interface ConfirmPaymentOptions {
  elements?: PageElements;
  clientSecret?: string;
  redirect?: 'always' | 'if_required';
  confirmParams?: {
    return_url?: string;
    payment_method?: string;
    payment_method_data?: { billing_details?: Record<string, unknown> };
  };
}

interface CardPaymentData {
  payment_method?: string | { card?: PageElement | object; billing_details?: Record<string, unknown> };
  return_url?: string;
}

/** Runs in the browser (see stripe-js.ts). The calls of Stripe.js that confirm a payment. */
export function createPayments(parts: PaymentParts, { origin, api }: { origin: string; api: PageApi }) {
  const integrationError = (message: string) =>
    Object.assign(new Error(message), { name: 'IntegrationError' });
  const isElement = (value: unknown): value is PageElement =>
    typeof value === 'object' && value !== null && 'ask' in value;

  function requireSecret(clientSecret: unknown): string {
    if (typeof clientSecret === 'string' && /^pi_\w+_secret_\w+$/.test(clientSecret)) return clientSecret;
    throw integrationError(
      `Invalid value for clientSecret: it must be a client secret of the form pi_…_secret_…, not ${JSON.stringify(clientSecret)}.`,
    );
  }

  /** Lets the buyer pass the bank's challenge, if there is one, then reads the payment again. */
  async function handleActions(outcome: Outcome): Promise<Outcome> {
    if ('error' in outcome || outcome.paymentIntent.status !== 'requires_action') return outcome;
    const { client_secret: clientSecret, next_action: action } = outcome.paymentIntent;
    const url = action?.use_stripe_sdk?.stripe_js ?? action?.redirect_to_url?.url;
    if (url === undefined)
      return {
        error: {
          type: 'api_error',
          message: `The sandbox’s Stripe.js cannot handle the action ${action?.type}.`,
        },
      };
    await parts.openChallenge(parts, { origin, url });
    const after = await api.retrieve(clientSecret);
    if ('error' in after || after.paymentIntent.status !== 'requires_payment_method') return after;
    const { last_payment_error: refused } = after.paymentIntent;
    const error: ScriptError = refused ?? {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    };
    return { error: { ...error, payment_intent: after.paymentIntent } };
  }

  return {
    retrievePaymentIntent: (clientSecret: string) => api.retrieve(requireSecret(clientSecret)),

    async handleNextAction({ clientSecret }: { clientSecret: string }): Promise<Outcome> {
      return handleActions(await api.retrieve(requireSecret(clientSecret)));
    },

    /** Resolves unless the page is left for the return address. */
    async confirmPayment(options: ConfirmPaymentOptions): Promise<Outcome> {
      const { elements, confirmParams = {}, redirect = 'always' } = options;
      const clientSecret = requireSecret(options.clientSecret ?? elements?.clientSecret());
      const returnUrl = confirmParams.return_url ?? null;
      if (redirect === 'always' && returnUrl === null)
        throw integrationError(
          'stripe.confirmPayment(): the `confirmParams.return_url` argument is required.',
        );
      const element = elements?.getElement('payment') ?? null;
      let outcome: Outcome;
      if (confirmParams.payment_method !== undefined) {
        outcome = await api.confirm(clientSecret, {
          payment_method: confirmParams.payment_method,
          use_stripe_sdk: 'true',
          ...(returnUrl !== null && { return_url: returnUrl }),
        });
      } else {
        if (element === null)
          throw integrationError(
            'stripe.confirmPayment(): the `elements` argument needs a Payment Element that is mounted, or `confirmParams.payment_method` is required.',
          );
        const order: ConfirmRequest = {
          clientSecret,
          returnUrl,
          billingDetails: confirmParams.payment_method_data?.billing_details ?? {},
        };
        outcome = await element.ask<Outcome>('confirm', order);
      }
      outcome = await handleActions(outcome);
      if ('error' in outcome || redirect === 'if_required' || returnUrl === null) return outcome;
      const address = new URL(returnUrl);
      address.searchParams.set('payment_intent', outcome.paymentIntent.id);
      address.searchParams.set('payment_intent_client_secret', clientSecret);
      address.searchParams.set('redirect_status', outcome.paymentIntent.status);
      window.location.assign(address.href);
      return new Promise(() => {});
    },

    /** @param data without a payment method, the one that the PaymentIntent has is confirmed */
    async confirmCardPayment(
      secret: string,
      data: CardPaymentData = {},
      { handleActions: mayHandle = true }: { handleActions?: boolean } = {},
    ): Promise<Outcome> {
      const clientSecret = requireSecret(secret);
      const method = data.payment_method;
      let outcome: Outcome;
      if (typeof method === 'object' && isElement(method.card)) {
        const order: ConfirmRequest = {
          clientSecret,
          returnUrl: data.return_url ?? null,
          billingDetails: method.billing_details ?? {},
        };
        outcome = await method.card.ask<Outcome>('confirm', order);
      } else if (typeof method === 'object') {
        throw integrationError(
          'Invalid value for confirmCardPayment: payment_method.card should be an Element.',
        );
      } else {
        outcome = await api.confirm(clientSecret, {
          use_stripe_sdk: 'true',
          ...(method !== undefined && { payment_method: method }),
          ...(data.return_url !== undefined && { return_url: data.return_url }),
        });
      }
      return mayHandle ? handleActions(outcome) : outcome;
    },

    /** Creates a payment method from the card in an element. */
    async createPaymentMethod(data: {
      elements?: PageElements;
      type?: string;
      card?: PageElement;
      params?: { billing_details?: Record<string, unknown> };
      billing_details?: Record<string, unknown>;
    }): Promise<{ paymentMethod?: object; error?: ScriptError }> {
      const element = data.elements?.getElement('payment') ?? data.card;
      if (!isElement(element))
        throw integrationError(
          'stripe.createPaymentMethod(): a Payment Element or a card Element is required.',
        );
      return element.ask('payment-method', {
        billingDetails: data.params?.billing_details ?? data.billing_details ?? {},
      });
    },
  };
}

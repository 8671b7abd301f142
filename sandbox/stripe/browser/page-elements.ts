import type { createElement, PageElement } from './page-element';
import type { openChannel } from './page-channel';
import type { ElementsOptions, Outcome, ScriptError } from './script-types';

/** A group of elements as pages see it, with the parts that other scripts need. */
export interface PageElements {
  create(type: string, options?: Record<string, unknown>): PageElement;
  getElement(type: string | { __elementType?: string }): PageElement | null;
  update(options: ElementsOptions): void;
  submit(): Promise<{ error?: ScriptError; selectedPaymentMethod?: string }>;
  fetchUpdates(): Promise<{ error?: ScriptError }>;
  clientSecret(): string | null;
}

interface ElementsParts {
  createElement: typeof createElement;
  openChannel: typeof openChannel;
}

/** Runs in the browser (see stripe-js.ts). `retrieve` reads the PaymentIntent of a client secret. */
export function createElements(
  parts: ElementsParts,
  {
    origin,
    key,
    options: given,
    retrieve,
  }: {
    origin: string;
    key: string;
    options: ElementsOptions;
    retrieve: (clientSecret: string) => Promise<Outcome>;
  },
): PageElements {
  const TYPES = ['payment', 'card'];
  const made = new Map<string, PageElement>();
  let options = given;

  const integrationError = (message: string) =>
    Object.assign(new Error(message), { name: 'IntegrationError' });
  const setup = () => ({
    key,
    locale: options.locale ?? 'auto',
    appearance: options.appearance ?? {},
    fonts: options.fonts ?? [],
  });

  /** Since clover, an element refuses the secret of a payment that is over (stripe-node 19.0.0, changelog). */
  async function check(): Promise<Outcome | null> {
    if (options.clientSecret === undefined) return null;
    const outcome = await retrieve(options.clientSecret);
    if ('error' in outcome || !['succeeded', 'canceled', 'processing'].includes(outcome.paymentIntent.status))
      return outcome;
    const { status } = outcome.paymentIntent;
    return {
      error: {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `This PaymentIntent is in a terminal state (${status}) and cannot be used to initialize Elements.`,
      },
    };
  }

  const elements: PageElements = {
    create(type, elementOptions = {}) {
      if (!TYPES.includes(type))
        throw integrationError(
          `The sandbox’s Stripe.js has no element of type ${type}, only ${TYPES.join(', ')}.`,
        );
      if (made.has(type)) throw integrationError(`Can only create one Element of type ${type}.`);
      if (type === 'payment' && options.clientSecret === undefined && options.mode === undefined)
        throw integrationError(
          'In order to create a payment element, you must pass a clientSecret or mode when creating the Elements group.',
        );
      const element = parts.createElement(parts, {
        type,
        origin,
        options: elementOptions,
        setup,
        // Only the Payment Element reads the payment when it loads.
        check: type === 'payment' ? check : () => Promise.resolve(null),
        onDestroy: () => made.delete(type),
      });
      made.set(type, element);
      return element;
    },
    getElement(type) {
      const name = typeof type === 'string' ? type : (type.__elementType ?? '');
      return made.get(name) ?? null;
    },
    update(next) {
      options = { ...options, ...next };
      for (const element of made.values()) element.restyle();
    },
    async submit() {
      const element = made.get('payment');
      if (element === undefined)
        throw integrationError('elements.submit() needs a Payment Element that is mounted.');
      const error = await element.ask<ScriptError | null>('validate');
      return error === null ? { selectedPaymentMethod: 'card' } : { error };
    },
    async fetchUpdates() {
      const outcome = await check();
      return outcome !== null && 'error' in outcome ? { error: outcome.error } : {};
    },
    clientSecret: () => options.clientSecret ?? null,
  };
  return elements;
}

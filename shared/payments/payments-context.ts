import type Stripe from 'stripe';
import type { Clock } from '../clock';
import type { StripeConfig } from '../config.server';
import type { Database } from '../database/schema';
import { DomainError } from '../errors';
import type { MailOutbox } from '../mail/mails';

/** The client of Stripe's API and its configuration. */
export interface StripeAccess {
  client: Stripe;
  config: StripeConfig;
}

/** The dependencies of everything that concerns payment; built once per process. */
export interface PaymentsContext {
  db: Database;
  clock: Clock;
  mail: MailOutbox;
  /** Public base of the site, without a trailing slash. */
  appUrl: string;
  /** Null without Stripe's variables: plans are shown, nothing can be bought. */
  stripe: StripeAccess | null;
}

/** The account that pays. */
export interface Payer {
  id: string;
  email: string;
}

/** Throws `Unavailable` while payment is switched off. */
export function requireStripe({ stripe }: Pick<PaymentsContext, 'stripe'>): StripeAccess {
  if (stripe !== null) return stripe;
  throw new DomainError('Unavailable', {
    code: 'payment_unavailable',
    message: 'Payment is not set up here.',
  });
}

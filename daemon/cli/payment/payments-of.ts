import type { Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import { createMailOutbox } from '#shared/mail/mails';
import type { PaymentsContext } from '#shared/payments/payments-context';
import { createStripe } from '#shared/payments/stripe-client.server';
import type { Queues } from '#shared/queues/connection.server';

/** The dependencies of payment. Without `queues` the daemon finds in the database the mails that a command writes. */
export function paymentsOf(
  db: Database,
  config: Config,
  clock: Clock,
  queues: Queues | null = null,
): PaymentsContext {
  return {
    db,
    clock,
    mail: createMailOutbox({ enabled: config.mail !== null, queues, clock }),
    appUrl: config.appUrl,
    stripe: config.stripe === null ? null : { client: createStripe(config.stripe), config: config.stripe },
  };
}

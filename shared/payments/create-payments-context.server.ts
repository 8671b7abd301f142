import type { Clock } from '../clock';
import type { Config } from '../config.server';
import type { Database } from '../database/schema';
import { createMailOutbox } from '../mail/mails';
import type { Queues } from '../queues/connection.server';
import type { PaymentsContext } from './payments-context';
import { createStripe } from './stripe-client.server';

/** The dependencies of payment. Without `queues` the daemon finds in the database the mails that a command writes. */
export function createPaymentsContext(
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

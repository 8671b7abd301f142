import { requireAccount } from '#shared/accounts/account';
import { listEvents } from '#shared/billing/list-events';
import { reconcileActive, reconcilePending } from '#shared/billing/reconcile.server';
import { retryEvent } from '#shared/billing/retry-event';
import { systemClock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { describeFailure } from '#shared/process/describe-failure.server';
import { toDue } from '#shared/outbox/outbox';
import { requireOurAccount } from '#shared/payments/stripe-account.server';
import { enqueueDue } from '#shared/queues/enqueue';
import { terminalLine } from '#shared/terminal-text';
import { adoptPayments } from './payment/adopt-payments';
import { readArguments, readEmail } from './arguments';
import { acceptKey, showAccount } from './payment/payment-account';
import { formatEvents, showPayments } from './payment/show-payments';
import { paymentsOf } from './payment/payments-of';
import {
  OPERATOR,
  createTool,
  showUsage,
  UsageError,
  withDatabase,
  type CommandOutput,
  type Environment,
} from './terminal';
import { withQueues } from './with-queues';

const USAGE = `Use: npm run payments -- COMMAND [--json]

  show EMAIL           show an account's customer, subscriptions, invoices, purchases, tokens and events
  reconcile [EMAIL]    read from Stripe what is pending or active, of one account or of all, and write what it says
  adopt [--apply]      list what was paid at Stripe and has no row here, such as after a restored backup;
                       with --apply make the rows, so that members have what they paid for
  account [accept]     show the account at Stripe that the database refers to, and the one of the configured key;
                       with accept the key's account takes its place, and former subscriptions are not renewed
  events [--failed]    list Stripe's events, newest first; with --failed those that were given up
                       [--limit N] at most N events (50)
  retry ID             apply an event again that was given up; ID is the event's

--json prints one JSON object as the last line, also when the command fails.`;

const OPTIONS = {
  apply: { type: 'boolean', default: false },
  failed: { type: 'boolean', default: false },
  limit: { type: 'string', default: '50' },
} as const;

const MAX_EVENTS = 1_000;

async function reconcile(db: Database, config: Config, email: string | undefined): Promise<CommandOutput> {
  const account = email === undefined ? null : await requireAccount(db, email);
  return withQueues(config, async (queues) => {
    const context = paymentsOf(db, config, queues);
    await requireOurAccount(context);
    const faults: string[] = [];
    const options = {
      ...(account === null ? {} : { accountId: account.id }),
      onFault: (error: unknown, subject: string) =>
        void faults.push(`${subject}: ${terminalLine(describeFailure(error).message)}`),
    };
    const pending = await reconcilePending(context, options);
    const active = await reconcileActive(context, options);
    const [read, changed] = [pending.read + active.read, pending.changed + active.changed];
    const missing = (pending.missing ?? 0) + (active.missing ?? 0);
    const failures = pending.failed + active.failed;
    const stopped = pending.stopped === true || active.stopped === true;
    const result = `Read ${read} from Stripe: ${changed} changed, ${failures} could not be read or written.`;
    const unknown = `Stripe does not know ${missing} of them; their rows stay as they are.`;
    const rest = 'The rest was not read. See: npm run payments -- account';
    return {
      lines: [result, ...(missing > 0 ? [unknown] : []), ...faults, ...(stopped ? [rest] : [])],
      json: {
        success: faults.length === 0,
        email: account?.email ?? null,
        ...{ read, changed, missing, stopped, faults },
      },
      failed: faults.length > 0,
    };
  });
}

async function showEvents(
  db: Database,
  { failed, limit }: { failed: boolean; limit: string },
): Promise<CommandOutput> {
  const count = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > MAX_EVENTS)
    throw new UsageError(`--limit is a whole number from 1 to ${MAX_EVENTS}.`);
  const events = await listEvents(db, { ...(failed ? { status: 'failed' as const } : {}), limit: count });
  const none = failed ? 'No event has failed.' : 'No event has arrived yet.';
  return {
    lines: [events.length === 0 ? none : formatEvents(events)],
    json: { success: true, events },
  };
}

async function retry(db: Database, config: Config, id: string): Promise<CommandOutput> {
  const event = await retryEvent(db, { id, actor: OPERATOR, clock: systemClock });
  const queued = await withQueues(config, async (queues) => {
    if (queues === null) return false;
    // The daemon's sweep applies the event as well, so a job that cannot be added delays it by a second at most.
    return enqueueDue(queues, 'payments', [toDue(event)], systemClock.now()).then(
      () => true,
      () => false,
    );
  });
  const message = `The event ${event.stripe_event_id} is pending again; the daemon applies it.`;
  return { lines: [message], json: { success: true, message, queued, event } };
}

/** `npm run payments -- show EMAIL | reconcile [EMAIL] | adopt [--apply] | account [accept] | events [--failed] | retry ID` */
async function main(args: string[], environment: Environment): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: OPTIONS, usage: USAGE });
  const [command, subject, ...rest] = positionals;
  if (values.help || command === undefined) return showUsage(USAGE);
  if (rest.length > 0) throw new UsageError(USAGE);
  switch (command) {
    case 'show': {
      const email = readEmail(subject, USAGE);
      return withDatabase(environment, async (db) => showPayments(db, await requireAccount(db, email)));
    }
    case 'reconcile': {
      const email = subject === undefined ? undefined : readEmail(subject, USAGE);
      return withDatabase(environment, (db, config) => reconcile(db, config, email));
    }
    case 'adopt':
      if (subject !== undefined) throw new UsageError(USAGE);
      return withDatabase(environment, (db, config) =>
        withQueues(config, (queues) => adoptPayments(paymentsOf(db, config, queues), values.apply)),
      );
    case 'account':
      if (subject !== undefined && subject !== 'accept') throw new UsageError(USAGE);
      return withDatabase(environment, (db, config) =>
        subject === 'accept' ? acceptKey(paymentsOf(db, config)) : showAccount(paymentsOf(db, config)),
      );
    case 'events':
      if (subject !== undefined) throw new UsageError(USAGE);
      return withDatabase(environment, (db) => showEvents(db, values));
    case 'retry':
      if (subject === undefined) throw new UsageError(`The event's id is missing.\n\n${USAGE}`);
      return withDatabase(environment, (db, config) => retry(db, config, subject));
    default:
      throw new UsageError(`There is no command ${command}.\n\n${USAGE}`);
  }
}

export const tool = createTool(main);

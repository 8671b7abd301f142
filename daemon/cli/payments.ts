import { requireAccount } from '#shared/accounts/account';
import { listEvents } from '#shared/billing/list-events';
import { describeEvent } from '#shared/billing/payment-events';
import { reconcileActive, reconcilePending } from '#shared/billing/reconcile.server';
import { retryEvent } from '#shared/billing/retry-event';
import type { Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import { describeFailure } from '#shared/process/describe-failure.server';
import { toDue } from '#shared/outbox/define-outbox';
import { createPaymentsContext } from '#shared/payments/create-payments-context.server';
import { requireOurAccount } from '#shared/payments/stripe-account.server';
import { enqueueDue } from '#shared/queues/enqueue';
import { terminalLine } from '#shared/terminal-text';
import { adoptPayments } from './payment/adopt-payments';
import { readCount, readEmail } from './arguments';
import { createProgram, defineCommand } from './command-line';
import { acceptKey, showAccount } from './payment/payment-account';
import { formatEvents, showPayments } from './payment/show-payments';
import { OPERATOR, withDatabase, type CommandOutput } from './terminal';
import { withQueues } from './with-queues';

const MAX_EVENTS = 1_000;

async function reconcile(
  db: Database,
  config: Config,
  clock: Clock,
  email: string | undefined,
): Promise<CommandOutput> {
  const account = email === undefined ? null : await requireAccount(db, email);
  return withQueues(config, async (queues) => {
    const context = createPaymentsContext(db, config, clock, queues);
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
  { failed, limit: count }: { failed: boolean; limit: number },
): Promise<CommandOutput> {
  const events = await listEvents(db, { failed, limit: count });
  const none = failed ? 'No event has failed.' : 'No event has arrived yet.';
  return {
    lines: [events.length === 0 ? none : formatEvents(events)],
    json: { success: true, events: events.map(describeEvent) },
  };
}

async function retry(db: Database, config: Config, clock: Clock, id: string): Promise<CommandOutput> {
  const event = await retryEvent(db, { id, actor: OPERATOR, clock });
  const queued = await withQueues(config, async (queues) => {
    if (queues === null) return false;
    // The daemon's sweep applies the event as well, so a job that cannot be added delays it by a second at most.
    return enqueueDue(queues, 'payments', [toDue(event)], clock.now()).then(
      () => true,
      () => false,
    );
  });
  const message = `The event ${event.stripe_event_id} is pending again; the daemon applies it.`;
  return { lines: [message], json: { success: true, message, queued, event: describeEvent(event) } };
}

/** `npm run payments -- show EMAIL | reconcile [EMAIL] | adopt [--apply] | account [accept] | events [--failed] | retry ID` */
export const tool = createProgram({
  start: 'npm run payments --',
  commands: {
    show: defineCommand({
      use: 'show EMAIL',
      help: [
        "show an account's customer, subscriptions, invoices, refunds and disputes, purchases, tokens and events",
      ],
      needs: ['email address'],
      run: ({ needed: [address], environment }) => {
        const email = readEmail(address);
        return withDatabase(environment, async (db, _config, clock) =>
          showPayments(db, await requireAccount(db, email), clock),
        );
      },
    }),
    reconcile: defineCommand({
      use: 'reconcile [EMAIL]',
      help: ['read from Stripe what is pending or active, of one account or of all, and write what it says'],
      takesOptional: true,
      run: ({ optional, environment }) => {
        const email = optional === undefined ? undefined : readEmail(optional);
        return withDatabase(environment, (db, config, clock) => reconcile(db, config, clock, email));
      },
    }),
    adopt: defineCommand({
      use: 'adopt [--apply]',
      help: [
        'list what was paid at Stripe and has no row here, such as after a restored backup;',
        'with --apply make the rows, so that members have what they paid for',
      ],
      options: { apply: { type: 'boolean' } },
      run: ({ values, environment }) =>
        withDatabase(environment, (db, config, clock) =>
          withQueues(config, (queues) =>
            adoptPayments(createPaymentsContext(db, config, clock, queues), values.apply === true),
          ),
        ),
    }),
    account: defineCommand({
      use: 'account',
      help: ['show the account at Stripe that the database refers to, and the one of the configured key'],
      run: ({ environment }) =>
        withDatabase(environment, (db, config, clock) =>
          showAccount(createPaymentsContext(db, config, clock)),
        ),
    }),
    'account accept': defineCommand({
      use: 'account accept',
      help: ["put the key's account in its place; former subscriptions are not renewed"],
      run: ({ environment }) =>
        withDatabase(environment, (db, config, clock) => acceptKey(createPaymentsContext(db, config, clock))),
    }),
    events: defineCommand({
      use: 'events [--failed] [--limit N]',
      help: ["list Stripe's events, newest first; with --failed those that were given up; at most N (50)"],
      options: { failed: { type: 'boolean' }, limit: { type: 'string' } },
      run: ({ values, environment }) => {
        const limit = readCount(values.limit ?? '50', '--limit', MAX_EVENTS);
        return withDatabase(environment, (db) => showEvents(db, { failed: values.failed === true, limit }));
      },
    }),
    retry: defineCommand({
      use: 'retry ID',
      help: ["apply an event again that was given up; ID is the event's"],
      needs: ["event's id"],
      run: ({ needed: [id], environment }) =>
        withDatabase(environment, (db, config, clock) => retry(db, config, clock, id)),
    }),
  },
});

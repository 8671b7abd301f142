import type { Account } from '#shared/accounts/account';
import { readAccountPayments, type AccountPayments } from '#shared/billing/account-payments';
import { describeEvent, eventStateOf, type PaymentEvent } from '#shared/billing/payment-events';
import type { Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import { formatPounds } from '#shared/money';
import { shorten } from '#shared/text';
import { formatTime } from '../local-time';
import { formatTable, type CommandOutput } from '../terminal';

const ROWS_SHOWN = 10;
const ERROR_WIDTH = 70;

/** A heading and its rows as a table, or "none". */
function section(title: string, heading: readonly string[], rows: readonly string[][]): string[] {
  return [
    '',
    `${title}${rows.length === 0 ? ': none' : ''}`,
    ...(rows.length === 0 ? [] : [formatTable([heading, ...rows])]),
  ];
}

/** Stripe's events as a table. */
export function formatEvents(events: readonly PaymentEvent[]): string {
  return formatTable([
    ['event', 'happened', 'type', 'object', 'status', 'attempts', 'last error'],
    ...events.map((event) => [
      event.stripe_event_id,
      formatTime(event.stripe_created_at),
      event.type,
      event.object_id,
      eventStateOf(event),
      String(event.attempts),
      shorten(event.last_error ?? '', { fits: ERROR_WIDTH }),
    ]),
  ]);
}

function describeMembership({ tier, expiresAt, cancelAtPeriodEnd }: AccountPayments['membership']): string {
  if (tier === 'free') return 'free';
  return `pro until ${formatTime(expiresAt, 'further notice')}${cancelAtPeriodEnd ? ', canceled for then' : ''}`;
}

function describeSubscription(row: AccountPayments['subscriptions'][number]): string[] {
  const notes = [
    row.cancel_at_period_end === 1 ? 'ends with its period' : '',
    row.cancel_at === null ? '' : `ends on ${formatTime(row.cancel_at)}`,
    row.grace_until === null ? '' : `grace until ${formatTime(row.grace_until)}`,
    row.needs_confirmation === 1 ? 'waits for confirmation' : '',
    row.missing_since === null ? '' : `Stripe does not know it since ${formatTime(row.missing_since)}`,
  ].filter((note) => note !== '');
  return [
    row.id,
    row.stripe_subscription_id ?? row.stripe_checkout_session_id ?? '-',
    row.package_id,
    row.status,
    formatTime(row.current_period_end, '-'),
    formatTime(row.synced_at, 'never'),
    notes.join(', '),
  ];
}

function describePurchase(row: AccountPayments['purchases'][number]): string[] {
  const notes = [
    row.refunded_pence === 0 ? '' : `${formatPounds(row.refunded_pence)} refunded`,
    row.dispute_status === null ? '' : `dispute ${row.dispute_status}`,
    row.failure_message ?? '',
  ].filter((note) => note !== '');
  return [
    row.id,
    row.stripe_payment_intent_id ?? row.stripe_checkout_session_id ?? '-',
    row.package_name,
    formatPounds(row.amount_pence),
    row.status,
    formatTime(row.created_at),
    shorten(notes.join(', '), { fits: ERROR_WIDTH }),
  ];
}

function describeCustomer(row: AccountPayments['customers'][number], now: string): string[] {
  const locked =
    row.locked_until !== null && row.locked_until > now ? `locked until ${formatTime(row.locked_until)}` : '';
  return [
    row.stripe_customer_id ?? 'not created yet',
    formatTime(row.created_at),
    row.deleted_at === null ? locked : `deleted ${formatTime(row.deleted_at)}`,
  ];
}

/** `show EMAIL`: the stored payments of an account. */
export async function showPayments(db: Database, account: Account, clock: Clock): Promise<CommandOutput> {
  const now = clock.now();
  const payments = await readAccountPayments(db, { accountId: account.id, now, limit: ROWS_SHOWN });
  const { membership, customers, subscriptions, invoices, reversals, purchases, balance, ledger, events } =
    payments;
  const { id, email, username, created_at } = account;
  return {
    lines: [
      formatTable([
        ['account', `${email} (${id})`],
        ['membership', describeMembership(membership)],
        [
          'beta access',
          account.beta_approved_at === null ? 'no' : `since ${formatTime(account.beta_approved_at)}`,
        ],
        ['tokens', String(balance)],
      ]),
      ...section(
        'Stripe customers',
        ['customer', 'since', ''],
        customers.map((row) => describeCustomer(row, new Date(now).toISOString())),
      ),
      ...section(
        'Subscriptions',
        ['id', 'at Stripe', 'package', 'status', 'period ends', 'last read', ''],
        subscriptions.map(describeSubscription),
      ),
      ...section(
        'Invoices',
        ['invoice', 'created', 'reason', 'status', 'due', 'paid', 'attempts'],
        invoices.map((row) => [
          row.id,
          formatTime(row.created_at),
          row.billing_reason ?? '-',
          row.needs_confirmation === 1 ? `${row.status}, waits for confirmation` : row.status,
          formatPounds(row.amount_due_pence),
          formatPounds(row.amount_paid_pence),
          String(row.attempt_count),
        ]),
      ),
      ...section(
        'Refunds and disputes of subscription payments',
        ['id', 'invoice', 'kind', 'status', 'amount', 'of', 'created', 'admins notified'],
        reversals.map((row) => [
          row.id,
          row.invoice_id,
          row.kind,
          row.status,
          formatPounds(row.amount_pence),
          formatPounds(row.paid_pence),
          formatTime(row.created_at),
          formatTime(row.notified_at, 'not yet'),
        ]),
      ),
      ...section(
        'Token purchases',
        ['id', 'at Stripe', 'package', 'amount', 'status', 'created', ''],
        purchases.map(describePurchase),
      ),
      ...section(
        'Token ledger',
        ['no.', 'time', 'kind', 'tokens', 'balance', 'task or purchase'],
        ledger.map((row) => [
          String(row.seq),
          formatTime(row.created_at),
          row.kind,
          row.tokens > 0 ? `+${row.tokens}` : String(row.tokens),
          String(row.balance_after),
          row.task_id ?? row.purchase_id ?? '',
        ]),
      ),
      '',
      events.length === 0 ? 'Events: none' : `Events\n${formatEvents(events)}`,
    ],
    json: {
      success: true,
      account: { id, email, username, created_at },
      ...payments,
      events: events.map(describeEvent),
    },
  };
}

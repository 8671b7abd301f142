import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Database, Schema } from '../database/schema';

/** Whose data is read. */
export interface Owner {
  id: string;
  email: string;
  /** Null: no Discord account is linked. */
  discord_id: string | null;
}

export type Row = Record<string, unknown>;

type ColumnOf<Table extends keyof Schema> = keyof Schema[Table] & string;

/** One list of the archive, read from one table. */
interface Section {
  /** The name of its files. */
  name: string;
  table: keyof Schema;
  /** The column that identifies the owner. */
  owner: string;
  /** The kind of id in it; `subscription`: the id of one of the owner's subscriptions. */
  by: keyof Owner | 'subscription';
  /** The order of the rows; together unique among those of an owner. Included in `columns`. */
  order: readonly string[];
  columns: readonly string[];
  /** The tables that ids in the columns refer to. */
  lookups: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Columns that hold JSON. */
  json: readonly string[];
}

const BY_TIME = ['created_at', 'id'] as const;

function section<Table extends keyof Schema>(
  name: string,
  table: Table,
  {
    owner,
    by = 'id',
    order,
    columns,
    lookups = {},
    json = [],
  }: {
    owner?: ColumnOf<Table>;
    by?: Section['by'];
    order?: readonly ColumnOf<Table>[];
    columns: readonly ColumnOf<Table>[];
    lookups?: Section['lookups'];
    json?: readonly ColumnOf<Table>[];
  },
): Section {
  return { name, table, owner: owner ?? 'user_id', by, order: order ?? BY_TIME, columns, lookups, json };
}

/** The contents of the archive, in file order. A test compares it and `LEFT_OUT` with the schema. */
export const SECTIONS: readonly Section[] = [
  section('profile', 'users', {
    owner: 'id',
    order: ['id'],
    columns: [
      ...['id', 'email', 'email_verified_at', 'username', 'role', 'admin_granted_by', 'disabled_at'],
      ...['deletion_requested_at', 'delete_after', 'deleted_at'],
      ...['discord_id', 'discord_username', 'discord_avatar', 'discord_picture', 'discord_picture_hash'],
      ...['beta_requested_at', 'beta_approved_at', 'beta_ever_requested'],
      ...[
        'mail_bounced_at',
        'mail_bounce_reason',
        'mail_bounce_cleared_at',
        'browsers_forgotten_at',
        'preferences',
      ],
      ...['created_at', 'updated_at'],
    ] as ColumnOf<'users'>[],
    json: ['preferences'],
  }),
  section('account-events', 'audit_log', {
    owner: 'subject',
    columns: ['id', 'action', 'details', 'created_at'],
    json: ['details'],
  }),
  section('sessions', 'sessions', {
    columns: ['id', 'browser_session_id', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'],
  }),
  section('passkeys', 'passkeys', {
    columns: [
      ...(['id', 'credential_id', 'public_key', 'counter', 'name'] as const),
      ...(['created_at', 'last_used_at', 'refused_at'] as const),
    ],
  }),
  section('sign-in-codes', 'verification_codes', {
    columns: [
      ...(['id', 'proof', 'discord_id', 'discord_username', 'discord_avatar'] as const),
      ...(['status', 'tries', 'created_at', 'expires_at'] as const),
    ],
  }),
  section('discord-roles', 'member_roles', {
    owner: 'discord_id',
    by: 'discord_id',
    columns: [
      ...(['id', 'discord_id', 'audience', 'role_id', 'status', 'found', 'found_at', 'recheck_at'] as const),
      ...(['difference', 'again', 'sent_at', 'created_at'] as const),
    ],
    lookups: {
      watch: sql`(select watches.title from watch_roles join watches on watches.id = watch_roles.watch_id
        where watch_roles.role_id = member_roles.role_id)`,
    },
  }),
  section('follows', 'product_follows', {
    order: ['product_id'],
    columns: [
      ...(['product_id', 'retailer_ids', 'variant_keys', 'wants', 'max_price_amount'] as const),
      ...(['quiet_from', 'quiet_to', 'created_at'] as const),
    ],
    lookups: { product: sql`(select title from products where products.id = product_follows.product_id)` },
    json: ['retailer_ids', 'variant_keys', 'wants'],
  }),
  section('suggestions', 'product_suggestions', {
    columns: ['id', 'url', 'created_at', 'dismissed_at', 'dismissal'],
  }),
  section('devices', 'push_subscriptions', {
    columns: ['id', 'user_agent', 'created_at', 'last_sent_at'],
  }),
  section('ended-devices', 'ended_push_subscriptions', {
    columns: ['id', 'user_agent', 'created_at', 'why', 'ended_at'],
  }),
  section('alert-deliveries', 'member_deliveries', {
    columns: [
      ...(['id', 'alert_id', 'announcement_id', 'channel', 'target', 'status', 'due_at'] as const),
      ...(['attempts', 'sent_at', 'last_status', 'last_error', 'created_at'] as const),
    ],
    lookups: {
      watch: sql`(select watches.title from alerts join watches on watches.id = alerts.watch_id
        where alerts.id = member_deliveries.alert_id)`,
    },
  }),
  section('mails', 'mails', {
    owner: 'recipient',
    by: 'email',
    columns: [
      ...(['id', 'recipient', 'template', 'status', 'attempts', 'sent_at'] as const),
      ...(['last_status', 'last_error', 'created_at'] as const),
    ],
  }),
  section('payment-customers', 'payment_customers', {
    columns: ['id', 'stripe_customer_id', 'created_at', 'deleted_at'],
  }),
  section('subscriptions', 'subscriptions', {
    columns: [
      ...(['id', 'package_id', 'stripe_subscription_id', 'stripe_checkout_session_id', 'status'] as const),
      ...(['current_period_start', 'current_period_end', 'cancel_at_period_end', 'cancel_at'] as const),
      ...(['cancel_reason', 'grace_until', 'latest_invoice_id', 'needs_confirmation', 'ended_at'] as const),
      ...(['renewal_pence', 'renewal_at', 'renewal_read_at', 'renewal_package_id'] as const),
      ...(['payments_paused', 'payments_resume_at', 'missing_since', 'synced_at'] as const),
      ...(['created_at', 'updated_at'] as const),
    ],
    lookups: {
      plan: sql`(select name from subscription_packages where subscription_packages.id = subscriptions.package_id)`,
    },
  }),
  section('plan-previews', 'plan_quotes', {
    columns: [
      ...(['id', 'subscription_id', 'from_package_id', 'new_package_id', 'proration_at'] as const),
      ...(['remaining_pence', 'prorated_pence', 'status', 'created_at', 'expires_at'] as const),
    ],
  }),
  section('purchases', 'token_purchases', {
    columns: [
      ...(['id', 'package_id', 'package_name', 'token_count', 'amount_pence', 'status'] as const),
      ...(['stripe_payment_intent_id', 'stripe_checkout_session_id', 'submitted_at'] as const),
      ...(['failure_message', 'refunded_pence', 'dispute_status', 'completed_at'] as const),
      ...(['missing_since', 'synced_at', 'created_at', 'updated_at'] as const),
    ],
  }),
  section('token-ledger', 'token_ledger', {
    order: ['seq'],
    columns: [
      ...(['id', 'seq', 'kind', 'tokens', 'balance_before', 'balance_after'] as const),
      ...(['task_id', 'purchase_id', 'source_id', 'created_at'] as const),
    ],
  }),
  section('granted-tokens', 'token_grants', {
    columns: ['id', 'tokens', 'reason', 'created_at'],
  }),
  section('proxies', 'proxy_assignments', {
    order: ['ordinal', 'task_id'],
    columns: ['task_id', 'ordinal', 'created_at', 'closed_at'],
  }),
  section('downloads', 'release_downloads', {
    order: ['release_id'],
    columns: ['release_id', 'platform', 'created_at'],
    lookups: {
      version: sql`(select version from releases where releases.id = release_downloads.release_id)`,
    },
  }),
  section('download-starts', 'release_download_starts', {
    order: ['platform', 'version', 'session_id'],
    columns: ['platform', 'version', 'session_id', 'sha256', 'created_at'],
  }),
  section('data-exports', 'data_exports', {
    columns: ['id', 'status', 'created_at', 'sent_at', 'available_until', 'downloaded_at'],
  }),
  // Sections of rows that belong to a row of the owner.
  section('invoices', 'subscription_invoices', {
    owner: 'subscription_id',
    by: 'subscription',
    columns: [
      ...(['id', 'subscription_id', 'status', 'billing_reason', 'amount_due_pence'] as const),
      ...(['amount_paid_pence', 'attempt_count', 'needs_confirmation', 'paid_at'] as const),
      ...(['created_at', 'updated_at'] as const),
    ],
  }),
  section('refunds-and-disputes', 'subscription_reversals', {
    owner: 'subscription_id',
    by: 'subscription',
    columns: [
      ...(['id', 'subscription_id', 'invoice_id', 'kind', 'status', 'amount_pence', 'paid_pence'] as const),
      ...(['created_at', 'updated_at'] as const),
    ],
  }),
];

/** Columns and tables with a member's data that the archive leaves out, with the reasons. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'users.password_hash': 'It would help to guess the password.',
  'users.password_registration_id': 'It joins rows of a registration and says nothing about you.',
  'users.username_search': 'Your name again, as admins search it.',
  'users.discord_search': 'Your name at Discord again, as admins search it.',
  'audit_log.actor_id': 'It may name another person. What you did to your own account is in the list.',
  'audit_log.subject': 'Your account, in every row.',
  'sessions.token_hash': 'A secret of your browser.',
  'verification_codes.code_hash': 'A secret.',
  'verification_codes.browser_hash': 'A secret of your browser.',
  'verification_codes.registration_id': 'It joins rows of a registration and says nothing about you.',
  'push_subscriptions.endpoint': 'Who holds it can address your browser.',
  'push_subscriptions.p256dh': 'A key of your browser.',
  'push_subscriptions.auth': 'A secret of your browser.',
  'ended_push_subscriptions.endpoint': 'Who holds it can address your browser.',
  'ended_push_subscriptions.p256dh': 'A key of your browser.',
  'ended_push_subscriptions.auth': 'A secret of your browser.',
  'mails.data': 'The email itself is in your mailbox.',
  'mails.sealed_code': 'A secret.',
  'mails.verification_code_id': 'The code of the same time is in sign-in-codes.',
  'payment_customers.locked_by': 'Which process writes at the moment.',
  'payment_customers.locked_until': 'Which process writes at the moment.',
  'token_ledger.previous_seq': 'Always the row before.',
  'token_grants.granted_by': 'It names another person.',
  'proxy_assignments.sealed_proxy': 'A secret of the proxy service.',
  'subscription_reversals.notified_at': 'When the admins were emailed about it.',
  'data_exports.upload_id': 'Where the archive was stored.',
  'data_exports.file_size': 'The size of the archive.',
  code_requests:
    'Requests for a code of the last hour, with keyed hashes instead of addresses, for the email limits.',
  articles: 'What admins wrote for the site. The author is stored as an account id.',
  judge_cases: 'Pages of shops that admins corrected.',
  release_uploads: 'Uploads of the desktop app by admins that have not ended.',
};

/** Columns of every outbox that only concern sending. */
export const OUTBOX_MECHANICS = [
  ...['attempts', 'claimed_by', 'claimed_until', 'due_at', 'expires_at', 'handled_at'],
  ...['last_error', 'last_status', 'uncertain', 'updated_at'],
];

/** Rows per page in memory. */
const ROWS_PER_PAGE = 1_000;

/** The condition that a row comes after `last` in the order of these columns. */
function after(order: readonly string[], last: Row): RawBuilder<boolean> {
  const alternatives = order.map((column, at) => {
    const equal = order.slice(0, at).map((name) => sql`${sql.ref(name)} = ${last[name]} and `);
    return sql`(${sql.join(equal, sql``)}${sql.ref(column)} > ${last[column]})`;
  });
  // The first comparison lets an index begin at the row.
  const [first = ''] = order;
  return sql`${sql.ref(first)} >= ${last[first]} and (${sql.join(alternatives, sql` or `)})`;
}

function withJson(row: Row, columns: readonly string[]): Row {
  const parsed = columns.map((name) => [
    name,
    typeof row[name] === 'string' ? (JSON.parse(row[name]) as unknown) : null,
  ]);
  return { ...row, ...Object.fromEntries(parsed) };
}

/** Reads the rows of a section in pages, which a few milliseconds of the event loop each take. */
export async function* readSection(
  db: Database,
  { table, owner, by, order, columns, lookups, json }: Section,
  person: Owner,
): AsyncGenerator<Row[]> {
  const common = db as unknown as Kysely<Record<string, Row>>;
  const ofOwner =
    by === 'subscription'
      ? sql<boolean>`${sql.ref(owner)} in (select id from subscriptions where user_id = ${person.id})`
      : sql<boolean>`${sql.ref(owner)} = ${person[by]}`;
  for (let last: Row | null = null; ;) {
    let query = common
      .selectFrom(table)
      .select(columns.map((name) => `${table}.${name}`))
      .select(Object.entries(lookups).map(([name, looked]) => looked.as(name)))
      .where(ofOwner);
    if (last !== null) query = query.where(after(order, last));
    for (const column of order) query = query.orderBy(column);
    const rows: Row[] = await query.limit(ROWS_PER_PAGE).execute();
    if (rows.length > 0) yield rows.map((row) => withJson(row, json));
    if (rows.length < ROWS_PER_PAGE) return;
    last = rows.at(-1) ?? null;
  }
}

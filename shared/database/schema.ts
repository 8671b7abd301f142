import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type {
  CodeRequestsTable,
  PasskeysTable,
  SessionsTable,
  UsedChallengesTable,
  UsersTable,
  VerificationCodesTable,
} from './tables/accounts';
import type { AdminNoticesTable } from './tables/admin-notices';
import type { ArticlesTable, MediaTable } from './tables/news';
import type { AuditLogTable, ContentStateTable, SettingsTable, UploadsTable } from './tables/site';
import type { DaemonHeartbeatsTable, DaemonStateTable } from './tables/daemon';
import type { MailsTable } from './tables/mails';
import type { DataExportsTable } from './tables/members/data-exports';
import type { MemberDeliveriesTable } from './tables/members/member-deliveries';
import type { MemberDeliverySumsTable } from './tables/members/member-delivery-sums';
import type { DiscordServerTable, MemberRolesTable, WatchRolesTable } from './tables/members/member-roles';
import type {
  PushKeysTable,
  EndedPushSubscriptionsTable,
  PushSubscriptionsTable,
} from './tables/members/push-subscriptions';
import type { AlertDeliveriesTable } from './tables/monitor/alert-deliveries';
import type { AlertsTable } from './tables/monitor/alerts';
import type { CheckBodiesTable, CheckCountsTable, MonitorChecksTable } from './tables/monitor/monitor-checks';
import type {
  HostsTable,
  JudgeCasesTable,
  OfferRunsTable,
  PagePreviewsTable,
  ProductAnnouncementsTable,
  ProductFollowsTable,
  ProductSuggestionsTable,
  ProductsTable,
  RetailersTable,
} from './tables/monitor/products';
import type {
  MonitorSettingsTable,
  RetailerWebhooksTable,
  WatchesTable,
  WebhooksTable,
} from './tables/monitor/watches';
import type {
  PaymentAccountTable,
  PaymentCustomersTable,
  PaymentFaultsTable,
} from './tables/payments/payments';
import type { PaymentEventsTable } from './tables/payments/payment-events';
import type {
  PlanQuotesTable,
  SubscriptionInvoicesTable,
  SubscriptionPackagesTable,
  SubscriptionReversalsTable,
  SubscriptionsTable,
} from './tables/payments/subscriptions';
import type {
  ProxyAssignmentsTable,
  TokenGrantsTable,
  TokenLedgerTable,
  TokenPackagesTable,
  TokenPurchasesTable,
} from './tables/payments/tokens';
import type {
  ReleaseDownloadStartsTable,
  ReleaseDownloadsTable,
  ReleaseFilesTable,
  ReleaseUploadLocksTable,
  ReleaseUploadsTable,
  ReleasesTable,
} from './tables/releases';

/** Every table, as the database holds it: text ids, ISO-8601 UTC text times, 0/1 booleans, JSON as text. */
export interface Schema {
  admin_notices: AdminNoticesTable;
  alert_deliveries: AlertDeliveriesTable;
  alerts: AlertsTable;
  articles: ArticlesTable;
  audit_log: AuditLogTable;
  check_bodies: CheckBodiesTable;
  check_counts: CheckCountsTable;
  code_requests: CodeRequestsTable;
  content_state: ContentStateTable;
  data_exports: DataExportsTable;
  daemon_heartbeats: DaemonHeartbeatsTable;
  daemon_state: DaemonStateTable;
  discord_server: DiscordServerTable;
  hosts: HostsTable;
  judge_cases: JudgeCasesTable;
  mails: MailsTable;
  media: MediaTable;
  member_deliveries: MemberDeliveriesTable;
  member_delivery_sums: MemberDeliverySumsTable;
  member_roles: MemberRolesTable;
  monitor_checks: MonitorChecksTable;
  monitor_settings: MonitorSettingsTable;
  offer_runs: OfferRunsTable;
  page_previews: PagePreviewsTable;
  passkeys: PasskeysTable;
  payment_account: PaymentAccountTable;
  payment_customers: PaymentCustomersTable;
  payment_events: PaymentEventsTable;
  payment_faults: PaymentFaultsTable;
  plan_quotes: PlanQuotesTable;
  product_announcements: ProductAnnouncementsTable;
  product_follows: ProductFollowsTable;
  product_suggestions: ProductSuggestionsTable;
  products: ProductsTable;
  proxy_assignments: ProxyAssignmentsTable;
  push_keys: PushKeysTable;
  push_subscriptions: PushSubscriptionsTable;
  ended_push_subscriptions: EndedPushSubscriptionsTable;
  release_download_starts: ReleaseDownloadStartsTable;
  release_downloads: ReleaseDownloadsTable;
  release_files: ReleaseFilesTable;
  release_upload_locks: ReleaseUploadLocksTable;
  release_uploads: ReleaseUploadsTable;
  releases: ReleasesTable;
  retailer_webhooks: RetailerWebhooksTable;
  retailers: RetailersTable;
  sessions: SessionsTable;
  settings: SettingsTable;
  subscription_invoices: SubscriptionInvoicesTable;
  subscription_packages: SubscriptionPackagesTable;
  subscription_reversals: SubscriptionReversalsTable;
  subscriptions: SubscriptionsTable;
  token_grants: TokenGrantsTable;
  token_ledger: TokenLedgerTable;
  token_packages: TokenPackagesTable;
  token_purchases: TokenPurchasesTable;
  uploads: UploadsTable;
  used_challenges: UsedChallengesTable;
  users: UsersTable;
  verification_codes: VerificationCodesTable;
  watch_roles: WatchRolesTable;
  watches: WatchesTable;
  webhooks: WebhooksTable;
}

/** The database, or a transaction. */
export type Database = Kysely<Schema>;

export type Transaction = KyselyTransaction<Schema>;

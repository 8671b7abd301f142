import type { AdminNoticesTable } from './tables/admin-notices';
import type { AlertDeliveriesTable } from './tables/alert-deliveries';
import type { AlertsTable } from './tables/alerts';
import type { ArticlesTable } from './tables/articles';
import type { AuditLogTable } from './tables/audit-log';
import type { CheckBodiesTable } from './tables/check-bodies';
import type { CodeRequestsTable } from './tables/code-requests';
import type { ContentStateTable } from './tables/content-state';
import type { DaemonStateTable } from './tables/daemon-state';
import type { DaemonHeartbeatsTable } from './tables/daemon-heartbeats';
import type { MailsTable } from './tables/mails';
import type { MediaTable } from './tables/media';
import type { MonitorChecksTable } from './tables/monitor-checks';
import type { MonitorSettingsTable } from './tables/monitor-settings';
import type { SessionsTable } from './tables/sessions';
import type { SettingsTable } from './tables/settings';
import type { UploadsTable } from './tables/uploads';
import type { UsersTable } from './tables/users';
import type { VerificationCodesTable } from './tables/verification-codes';
import type { WatchesTable } from './tables/watches';
import type { WebhooksTable } from './tables/webhooks';

/** Every table, as the database holds it: text ids, ISO-8601 UTC text times, 0/1 booleans, JSON as text. */
export interface Schema {
  admin_notices: AdminNoticesTable;
  alert_deliveries: AlertDeliveriesTable;
  alerts: AlertsTable;
  articles: ArticlesTable;
  audit_log: AuditLogTable;
  check_bodies: CheckBodiesTable;
  code_requests: CodeRequestsTable;
  content_state: ContentStateTable;
  daemon_heartbeats: DaemonHeartbeatsTable;
  daemon_state: DaemonStateTable;
  mails: MailsTable;
  media: MediaTable;
  monitor_checks: MonitorChecksTable;
  monitor_settings: MonitorSettingsTable;
  sessions: SessionsTable;
  settings: SettingsTable;
  uploads: UploadsTable;
  users: UsersTable;
  verification_codes: VerificationCodesTable;
  watches: WatchesTable;
  webhooks: WebhooksTable;
}

import type { AdminNoticesTable } from './tables/admin-notices';
import type { AlertDeliveriesTable } from './tables/alert-deliveries';
import type { AlertsTable } from './tables/alerts';
import type { AuditLogTable } from './tables/audit-log';
import type { CodeRequestsTable } from './tables/code-requests';
import type { DaemonHeartbeatsTable } from './tables/daemon-heartbeats';
import type { MailsTable } from './tables/mails';
import type { MonitorChecksTable } from './tables/monitor-checks';
import type { MonitorSettingsTable } from './tables/monitor-settings';
import type { MonitorStateTable } from './tables/monitor-state';
import type { SessionsTable } from './tables/sessions';
import type { SettingsTable } from './tables/settings';
import type { UsersTable } from './tables/users';
import type { VerificationCodesTable } from './tables/verification-codes';

/** Every table, as the database holds it: text ids, ISO-8601 UTC text times, 0/1 booleans, JSON as text. */
export interface Schema {
  admin_notices: AdminNoticesTable;
  alert_deliveries: AlertDeliveriesTable;
  alerts: AlertsTable;
  audit_log: AuditLogTable;
  code_requests: CodeRequestsTable;
  daemon_heartbeats: DaemonHeartbeatsTable;
  mails: MailsTable;
  monitor_checks: MonitorChecksTable;
  monitor_settings: MonitorSettingsTable;
  monitor_state: MonitorStateTable;
  sessions: SessionsTable;
  settings: SettingsTable;
  users: UsersTable;
  verification_codes: VerificationCodesTable;
}

import type { AdminNoticesTable } from './tables/admin-notices';
import type { AlertDeliveriesTable } from './tables/alert-deliveries';
import type { AlertsTable } from './tables/alerts';
import type { AuditLogTable } from './tables/audit-log';
import type { DaemonHeartbeatsTable } from './tables/daemon-heartbeats';
import type { MonitorChecksTable } from './tables/monitor-checks';
import type { MonitorSettingsTable } from './tables/monitor-settings';
import type { MonitorStateTable } from './tables/monitor-state';
import type { SettingsTable } from './tables/settings';
import type { UsersTable } from './tables/users';

/** Every table, as the database holds it: text ids, ISO-8601 UTC text times, 0/1 booleans, JSON as text. */
export interface Schema {
  admin_notices: AdminNoticesTable;
  alert_deliveries: AlertDeliveriesTable;
  alerts: AlertsTable;
  audit_log: AuditLogTable;
  daemon_heartbeats: DaemonHeartbeatsTable;
  monitor_checks: MonitorChecksTable;
  monitor_settings: MonitorSettingsTable;
  monitor_state: MonitorStateTable;
  settings: SettingsTable;
  users: UsersTable;
}

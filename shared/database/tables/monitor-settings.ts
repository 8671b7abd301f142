/** The monitor's own settings and the three webhooks, whose URLs are sealed (`alerts/webhook-seal.server.ts`). `fault` and `fault_at` are written by deliveries and the webhook check. */
export interface MonitorSettingsTable {
  setting_key: string;
  setting_value: string;
  /** Why Discord last refused this webhook for good; null while it is trusted. */
  fault: string | null;
  fault_at: string | null;
  updated_at: string;
}

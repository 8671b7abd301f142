/** The monitor's settings that apply to every watch. */
export interface MonitorSettingsTable {
  setting_key: string;
  setting_value: string;
  updated_at: string;
}

/** The settings of the monitor that hold for every watch. */
export interface MonitorSettingsTable {
  setting_key: string;
  setting_value: string;
  updated_at: string;
}

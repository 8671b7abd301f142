/** Site-wide settings that admins write; values are text, JSON where the key says so. */
export interface SettingsTable {
  key: string;
  value: string;
  description: string | null;
  updated_at: string;
}

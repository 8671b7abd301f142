/** One account per mail address. */
export interface UsersTable {
  id: string;
  /** Lower case. */
  email: string;
  /** When the address was confirmed with us; null until then. */
  email_verified_at: string | null;
  username: string;
  /** Granted by the environment's lists at sign-in or by the admin command. */
  role: 'admin' | 'member';
  discord_id: string | null;
  discord_username: string | null;
  discord_avatar: string | null;
  created_at: string;
  updated_at: string;
}

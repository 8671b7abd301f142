import type { Generated } from 'kysely';

/** The Discord webhook of each audience of a watch. */
export interface WebhooksTable {
  watch_id: string;
  audience: 'instant' | 'free' | 'admin';
  /** Sealed with the session secret (`alerts/webhooks/webhook-seal.server.ts`). */
  sealed_url: string;
  /** rejected: Discord rejected it for good (by a delivery); trusted: when it is set, or Discord accepts it again. */
  state: Generated<'trusted' | 'rejected'>;
  /** Why and when Discord last rejected it. */
  last_fault: string | null;
  last_fault_at: string | null;
  updated_at: string;
}

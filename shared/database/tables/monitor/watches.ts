import type { Generated } from 'kysely';
import type { StoredAvailability, StoredDetail } from './products';

/** One row per monitored page: its settings and the state between two checks. */
export interface WatchesTable {
  id: string;
  /** The subject of its checks: a shop's waiting room, or a product's availability. */
  kind: Generated<'waiting_room' | 'product'>;
  /** Of a product watch: what is sold and by whom. Both are null for a waiting room. */
  product_id: Generated<string | null>;
  retailer_id: Generated<string | null>;
  /** The one variant that is watched; null: the best of all. */
  variant_key: Generated<string | null>;
  /** What a check reads: the page, or the JSON of its platform. */
  fetch_as: Generated<'page' | 'shopify_json' | 'woo_store_api'>;
  /** Its name in URLs and on the command line. */
  slug: string;
  shop: string;
  title: string;
  /** Null: MONITOR_TARGET_URL. */
  url: string | null;
  /** IANA name of the time zone of `hours`. */
  time_zone: string;
  /** Two whole hours of the shop's day, such as "9-21". */
  hours: string;
  interval_seconds: number;
  /** Written by start and stop. */
  running: Generated<0 | 1>;
  started_at: string | null;
  stopped_at: string | null;
  /**
   * The check lease: the daemon that is checking, the expiry, and a number that only grows (the fencing token).
   * Written by the checker.
   */
  lease_owner: string | null;
  lease_until: string | null;
  lease_token: Generated<number>;
  /**
   * A slow judgement that has not ended: the digest of its page, its start, and how many in a row a daemon did not
   * survive. Written by the checker (slow-judgement.ts).
   */
  judging_page: string | null;
  judging_since: string | null;
  judgings_unended: Generated<number>;
  /** The following columns are written by the transaction that records a check. */
  last_check_id: string | null;
  last_verdict: 'open' | 'waiting_room' | 'unknown' | null;
  last_checked_at: string | null;
  last_conclusive_at: string | null;
  /**
   * Conclusive checks in a row that did not see what the alert announced (the shop is open, the product is not for sale);
   * unknowns between two of them do not break it.
   */
  opens_in_row: Generated<number>;
  /** When an unconfirmed weak sign was first seen. */
  weak_since: string | null;
  /** When the check that confirms a weak sign is due. */
  recheck_due_at: string | null;
  /** Challenges and blocks in a row. */
  refusals_in_row: Generated<number>;
  /** No scheduled check before this time, after a challenge, a block or a busy fetching service. */
  not_before: string | null;
  /** Of a product watch: what is settled (decide-restock.ts), and the last known price in minor units. */
  last_availability: StoredAvailability | null;
  last_detail: StoredDetail | null;
  last_price_amount: number | null;
  last_price_currency: string | null;
  /**
   * The digest of the last page that was judged conclusively, and what the shop names it by: an equal page is not judged
   * again. Null unless the judgement of that page still holds.
   */
  body_hash: string | null;
  etag: string | null;
  last_modified: string | null;
  /**
   * Of a product watch: when its next check is due (null: now), until when it is checked more often because another shop
   * has the product again, and when the page itself was last read where checks read the platform's JSON.
   */
  next_check_at: string | null;
  hurried_until: string | null;
  page_read_at: string | null;
  /** Of a product watch whose page robots.txt forbids: the permission that an admin states, or null. */
  robots_permission: string | null;
  /** Of a product watch: since when the shop no longer sells it (products/discontinued.ts); null while it does. */
  discontinued_at: Generated<string | null>;
  /** Of a product watch: whether its page is read through the paid fetching service. */
  paid_fetch: Generated<0 | 1>;
  /** When an admin deleted it. The row stays for its checks and alerts, under another slug. */
  deleted_at: string | null;
  /** Set by the watchdog when it notifies the admins of the silence; cleared when it notifies them of its end. */
  silence_notified_at: string | null;
}

/** A Discord webhook. */
interface WebhookColumns {
  /** Sealed with the session secret (`alerts/webhooks/webhook-seal.server.ts`). */
  sealed_url: string;
  /** rejected: Discord rejected it permanently (by a delivery); trusted: when it is set, or Discord accepts it again. */
  state: Generated<'trusted' | 'rejected'>;
  /** Why and when Discord last rejected it. */
  last_fault: string | null;
  last_fault_at: string | null;
  updated_at: string;
}

/** The Discord webhook of each audience of a watch. */
export interface WebhooksTable extends WebhookColumns {
  watch_id: string;
  audience: 'instant' | 'free' | 'admin';
}

/** The Discord webhooks of a retailer, for its products whose watches have none. */
export interface RetailerWebhooksTable extends WebhookColumns {
  retailer_id: string;
  audience: 'instant' | 'free';
}

/** The monitor's settings that apply to every watch. */
export interface MonitorSettingsTable {
  setting_key: string;
  setting_value: string;
  updated_at: string;
}

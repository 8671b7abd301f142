import type { Generated } from 'kysely';

/** The availability of an offer in a conclusive check (`Availability` in monitor/checks/verdict.ts). */
export type StoredAvailability = 'in_stock' | 'limited' | 'preorder' | 'out_of_stock';

/** `AvailabilityDetail` in monitor/checks/verdict.ts. */
export type StoredDetail =
  | 'release'
  | 'backorder'
  | 'low_stock'
  | 'in_store_only'
  | 'marketplace_only'
  | 'used_only'
  | 'coming_soon'
  | 'ballot';

/** One thing that shops sell. Its offers are the watches of kind `product` that name it. */
export interface ProductsTable {
  id: string;
  /** Its name below /restock/; no waiting-room watch has the same one. */
  slug: string;
  title: string;
  brand: string | null;
  /** 8, 12, 13 or 14 digits. Unique among products that are not deleted. */
  gtin: string | null;
  /**
   * The address of its image (written by admins); 1 until the daemon has tried to fetch it; why that failed, as a
   * sentence; and the stored image, with the size in pixels of its largest variant.
   */
  image_url: string | null;
  image_pending: Generated<0 | 1>;
  image_fault: string | null;
  image_upload_id: string | null;
  image_width: number | null;
  image_height: number | null;
  /** A date such as 2026-11-27. */
  released_on: string | null;
  /** In minor units of `currency` (ISO 4217); both or neither. */
  list_price_amount: number | null;
  currency: string | null;
  created_at: string;
  /** When an admin ended watching it; its page and its price history stay. */
  retired_at: Generated<string | null>;
  /** When its followers were notified that it is retired or sold nowhere; cleared when it is sold or watched again. */
  end_announced_at: Generated<string | null>;
  deleted_at: string | null;
}

/** A shop that sells products. */
export interface RetailersTable {
  id: string;
  name: string;
  host: string;
  /** The platform of its shop software. */
  kind: Generated<'unknown' | 'shopify' | 'woocommerce'>;
  /** Whether it is listed among the shops whose products can be followed. */
  supported: Generated<0 | 1>;
  /** A watch whose offer is always in stock: while its checks say otherwise, all verdicts of the shop are held back. */
  canary_watch_id: Generated<string | null>;
  /** When the admins were notified of held-back verdicts; null after the end. Written by the canary's checks. */
  held_notified_at: Generated<string | null>;
  /** The Discord roles that alerts of its products ping; null: those of the monitor's settings. */
  role_id_instant: Generated<string | null>;
  role_id_free: Generated<string | null>;
  /** JSON: the sources that were wrong too often, with how often (source-trust.ts). Written by housekeeping. */
  distrusted_sources: Generated<string | null>;
}

/** A page that an admin previews before adding a watch for it. Deleted by housekeeping. */
export interface PagePreviewsTable {
  id: string;
  url: string;
  requested_at: string;
  /** Both are written by the daemon: JSON (`monitor/products/previews.ts`). */
  finished_at: string | null;
  result: string | null;
}

/** A page that was judged wrongly, with the right answer. Written and deleted by admins. */
export interface JudgeCasesTable {
  id: string;
  /** The title of its watch. */
  title: string;
  /** JSON: the addresses, the status and the headers of the answer. */
  page: string;
  /** The body, at most its first 100 KB, deflated. */
  deflated: Uint8Array;
  /** JSON: the product data that the watch had. */
  expected: string;
  /** JSON: the correct judgement. */
  answer: string;
  note: string | null;
  check_id: string;
  created_by: string | null;
  created_at: string;
}

/** One row per host whose product pages are checked. Written by the daemons (monitor/hosts/). */
export interface HostsTable {
  /** With its port, unless that is the usual one. */
  host: string;
  /**
   * The lease for one request: its daemon, its expiry and a growing number (the fencing token). One lease at a time
   * across all daemons.
   */
  lease_owner: string | null;
  lease_until: string | null;
  lease_token: Generated<number>;
  /** No request before this time: the spacing of requests. */
  next_request_at: string | null;
  /** Refusals (403, 429, challenges) minus the successes since; 0 without a pause. */
  refusals: Generated<number>;
  /** No scheduled check before this time. */
  paused_until: string | null;
  /**
   * The state of its robots.txt: rules, none (everything is allowed), or unreachable (nothing is). The rules for us, in
   * the format of robots.txt; `Crawl-delay`; and when it was read. Null before the first time.
   */
  robots: 'rules' | 'none' | 'unreachable' | null;
  robots_rules: string | null;
  robots_delay_ms: number | null;
  robots_read_at: string | null;
}

/**
 * The history of an offer: one row per run of conclusive checks with equal values, extended or started by the transaction
 * that records the check. Never deleted.
 */
export interface OfferRunsTable {
  id: string;
  watch_id: string;
  /** Empty: the offer as a whole. */
  variant_key: string;
  availability: StoredAvailability;
  detail: StoredDetail | null;
  /** In minor units. */
  price_amount: number | null;
  price_currency: string | null;
  /** Of the first check. */
  strength: 'strong' | 'weak';
  first_seen_at: string;
  last_seen_at: string;
  /** The check may be deleted by retention. */
  first_check_id: string;
  /** 1 for the run that the next check extends or ends: one per watch and variant. */
  is_latest: 0 | 1;
}

/** Announcements to the followers of a product, in addition to its alerts. */
export interface ProductAnnouncementsTable {
  /** For a release: derived from the day and the product, so that it is unique. */
  id: string;
  kind: 'price_drop' | 'release' | 'end';
  product_id: string;
  /** The offer whose price fell; null: about the product. */
  watch_id: string | null;
  /** In pence: the current price, and the price when it was last buyable. Null: about the product. */
  price_amount: number | null;
  previous_amount: number | null;
  /** 1: an alert of the same check notifies those who follow restocks. */
  beside_restock: 0 | 1;
  announced_at: string;
  /** pending: not all followers are listed in `member_deliveries` (by the check); done: they are (by the fan-out). */
  fan_out_status: 'pending' | 'done';
  /** The id of the last user that the fan-out has listed. */
  fan_out_after: string | null;
}

/** A product page that a member suggested. Deleted when it is accepted, or 30 days after it was dismissed. */
export interface ProductSuggestionsTable {
  id: string;
  user_id: string;
  /** In canonical form, without a fragment. */
  url: string;
  created_at: string;
  /** When an admin dismissed it, and the sentence for the member, if there is one. */
  dismissed_at: Generated<string | null>;
  dismissal: Generated<string | null>;
}

/** The products that members follow, and for which events. */
export interface ProductFollowsTable {
  user_id: string;
  product_id: string;
  /** JSON: ids of retailers, or keys of variants; null: all. */
  retailer_ids: string | null;
  variant_keys: string | null;
  /** JSON: of restock, preorder, price_drop and release. */
  wants: string;
  /** In minor units. */
  max_price_amount: number | null;
  /** Hours of the day in the member's time zone, 0 to 23; both or neither. */
  quiet_from: number | null;
  quiet_to: number | null;
  created_at: string;
}

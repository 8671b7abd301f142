import type { Generated } from 'kysely';
import type { StoredAvailability, StoredDetail } from './products';

/** One row per check. */
export interface MonitorChecksTable {
  id: string;
  watch_id: string;
  trigger: 'schedule' | 'manual' | 'confirm';
  started_at: string;
  /** When the verdict was reached. */
  check_timestamp: string;
  target_url: string;
  final_url: string | null;
  verdict: 'open' | 'waiting_room' | 'unknown';
  /** How sure the verdict is, or of a product watch the availability. */
  strength: 'strong' | 'weak' | null;
  reason: string;
  /** Of a product watch: whether the product can be bought, and its price in minor units. */
  availability: Generated<StoredAvailability | 'unknown' | null>;
  detail: Generated<StoredDetail | null>;
  price_amount: Generated<number | null>;
  price_currency: Generated<string | null>;
  queue_detected: 0 | 1;
  error_message: string | null;
  response_time_ms: number;
  http_status_code: number | null;
  /** Length of the whole response in characters; the text is in `check_bodies` for a week. */
  raw_response_length: number;
  scrappey_status: 'success' | 'error' | 'disabled' | 'other';
  scrappey_request_id: string | null;
  /** Paid calls of this check, for the daily limit. */
  scrappey_calls: number;
  proxy_used: string | null;
  /** JSON: the judgement with its signs, and the flags `slow` and `short`. */
  content_analysis: string;
  /** JSON: header names to values; cookie values are left out. */
  response_headers: string;
  /** The alert that this check opened, or null. */
  alert_id: string | null;
  /** 1 once a message of that alert was sent. Written by the delivery. */
  alert_sent: 0 | 1;
}

/** The beginning of a check's response body, kept for a week and deleted with its check. */
export interface CheckBodiesTable {
  check_id: string;
  /** Copied from the check, so that retention needs no join. */
  check_timestamp: string;
  /** At most 100 KB of UTF-8, compressed by zlib. */
  deflated: Uint8Array;
}

/**
 * How many checks a watch had in an hour or a day, for the public status and the daily limit of Scrappey. Written with
 * each check.
 */
export interface CheckCountsTable {
  watch_id: string;
  span: 'hour' | 'day';
  /** The start of the hour or day in UTC. */
  starts_at: string;
  total: number;
  /** Checks with the verdict open or waiting room, or of a product with a known availability. */
  conclusive: number;
  /** Paid fetches, for the daily limit. */
  scrappey_calls: Generated<number>;
}

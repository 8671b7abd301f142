/** One row per browser that receives web push (W3C Push API, PushSubscription). */
export interface PushSubscriptionsTable {
  id: string;
  user_id: string;
  /** The URL of the push service for this browser. Never shown or logged: its holder can address the browser. */
  endpoint: string;
  /** The browser's public key and authentication secret, base64url (RFC 8291). */
  p256dh: string;
  auth: string;
  user_agent: string | null;
  created_at: string;
  /** When it was last notified of an alert whose deliveries are summed; null: read the deliveries. */
  last_sent_at: string | null;
}

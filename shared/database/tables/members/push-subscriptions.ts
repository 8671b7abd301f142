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
  /** When it last received an alert whose deliveries are already summed up; null: read the deliveries. */
  last_sent_at: string | null;
}

/** Browsers whose push service ended their subscription. Kept for up to 90 days, or until they subscribe again. */
export interface EndedPushSubscriptionsTable extends Omit<PushSubscriptionsTable, 'last_sent_at'> {
  /** gone: the subscription does not exist any more; refused: the push service refuses our key for it. */
  why: 'gone' | 'refused';
  ended_at: string;
}

/** The key pair that identifies us to push services (VAPID, RFC 8292): one row, made at the first start. */
export interface PushKeysTable {
  id: 'vapid';
  /** Uncompressed point, base64url. */
  public_key: string;
  /** Sealed with the session secret. */
  sealed_private_key: string;
  created_at: string;
}

/** The key pair that identifies us to push services (VAPID, RFC 8292): one row, made at the first start. */
export interface PushKeysTable {
  id: 'vapid';
  /** Uncompressed point, base64url. */
  public_key: string;
  /** Sealed with the session secret. */
  sealed_private_key: string;
  created_at: string;
}

import type { PublicWeb } from '../network/public-web.server';

/** A browser that receives web push, as stored. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** What a push service answered (RFC 8030, sections 5 and 7.3). `gone`: the subscription ended and must be deleted. */
export type PushAnswer =
  | { is: 'ok'; status: number }
  | { is: 'gone'; status: number; reason: string }
  | { is: 'retry'; status: number | null; reason: string; waitMs: number | null }
  | { is: 'rejected'; status: number | null; reason: string };

export interface PushMessage {
  /** JSON for the service worker, at most 3 KB. */
  payload: string;
  /** How long the push service keeps it for a browser that is offline. */
  ttlSeconds: number;
  /** At most 32 URL-safe base64 characters: a newer message with the same topic replaces one that waits. */
  topic: string;
}

export interface PushClient {
  /** Encrypts and sends one message. Never throws: it classifies faults. `signal` ends the attempt. */
  send(target: PushTarget, message: PushMessage, signal?: AbortSignal): Promise<PushAnswer>;
}

/** `subject`: APP_URL or a mailto address, for the push services' operators (RFC 8292, section 2.1). */
export function createPushClient(_options: {
  keys: { publicKey: string; privateKey: string };
  subject: string;
  web: PublicWeb;
}): PushClient {
  throw new Error('not built yet');
}

import { MINUTE, SECOND } from '../clock';

/** The shortest silence that is reported. Two of the longest back-offs (150 s) fit into it. */
const MIN_SILENCE_MS = 5 * MINUTE;
/** Time for a check itself, and for its start. */
const CHECK_TIME_MS = MINUTE;

/** For a product: its shop may refuse us for 15 minutes, and its page is checked less often while it is in stock. */
const MIN_PRODUCT_SILENCE_MS = 30 * MINUTE;

/**
 * The admins are notified after this long (ms) without a conclusive verdict: five minutes (for a product, half an hour),
 * or two intervals if longer.
 */
export function silenceLimitMs({
  intervalSeconds,
  kind = 'waiting_room',
}: {
  intervalSeconds: number;
  kind?: 'waiting_room' | 'product';
}): number {
  const shortestMs = kind === 'product' ? MIN_PRODUCT_SILENCE_MS : MIN_SILENCE_MS;
  return Math.max(shortestMs, 2 * intervalSeconds * SECOND + CHECK_TIME_MS);
}

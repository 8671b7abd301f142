import { createHmac } from 'node:crypto';
import { WEBHOOK_SECRET } from '../keys';

/**
 * The `Stripe-Signature` header of a delivery (docs.stripe.com/webhooks, "Verify manually").
 * @param at real time in epoch seconds: receivers compare it with their own clock, not with the test clock
 */
export function signPayload(payload: string, at: number, secret: string = WEBHOOK_SECRET): string {
  const signature = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex');
  return `t=${at},v1=${signature}`;
}

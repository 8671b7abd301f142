import { z } from 'zod';
import { faultLife } from '../../fault-queue';

const common = {
  ...faultLife,
  /** Only requests with this method, and whose path begins like this. */
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  path: z.string().startsWith('/v1/').max(200).optional(),
  /**
   * Whether the request is executed before it fails. A 5xx of a request that was executed is saved under its
   * idempotency key, as Stripe saves it. Default: nothing happens and nothing is saved.
   */
  executed: z.boolean().optional(),
};

/**
 * A fault of the API: `status` responds with an error, `delay` responds late (milliseconds), `hang` never responds, `drop`
 * resets the connection.
 */
export const apiFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), status: z.int().min(400).max(599), ...common }),
  z.strictObject({ kind: z.literal('delay'), ms: z.int().min(0).max(600_000), ...common }),
  z.strictObject({ kind: z.literal('hang'), ...common }),
  z.strictObject({ kind: z.literal('drop'), ...common }),
]);
export type ApiFault = z.infer<typeof apiFaultSchema>;

/** The `error` object of a fault. */
export function faultBody(status: number): { type: string; message: string; code?: string } {
  if (status === 429)
    return {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message:
        'Request rate limit exceeded. Learn more about rate limits at https://stripe.com/docs/rate-limits.',
    };
  return {
    type: status >= 500 ? 'api_error' : 'invalid_request_error',
    message: `An unknown error occurred (sandbox: status ${status} was ordered).`,
  };
}

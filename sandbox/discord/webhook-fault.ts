import { z } from 'zod';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const life = {
  count: z.int().min(1).max(100_000).optional(),
  persistent: z.boolean().optional(),
  /** Which requests it meets. By default those that write: a check that a webhook exists uses none up. */
  on: z.array(z.enum(METHODS)).min(1).optional(),
};

/**
 * How a webhook misbehaves. Durations are in milliseconds, but `retryAfter` is in seconds as in Discord's own
 * answer. `delay` keeps the message when it arrives and answers late; `hang` never answers and `reset` cuts the
 * connection: both keep the message only when `accept` is set.
 */
export const webhookFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    retryAfter: z.number().positive().max(3_600).optional(),
    global: z.boolean().optional(),
    scope: z.enum(['user', 'global', 'shared']).optional(),
    ...life,
  }),
  z.strictObject({ kind: z.literal('delay'), ms: z.number().min(0).max(600_000), ...life }),
  z.strictObject({ kind: z.literal('hang'), accept: z.boolean().optional(), ...life }),
  z.strictObject({ kind: z.literal('reset'), accept: z.boolean().optional(), ...life }),
]);

export type WebhookFault = z.infer<typeof webhookFaultSchema>;
type Method = (typeof METHODS)[number];

export function meets(fault: WebhookFault, method: string): boolean {
  const methods: readonly string[] = fault.on ?? (['POST', 'PATCH', 'DELETE'] satisfies Method[]);
  return methods.includes(method);
}

import { z } from 'zod';

const pence = z.number().int();

/** The facts of a mail about a payment. Amounts in pence, times as ISO-8601 UTC. */
export const paymentMailSchema = z.discriminatedUnion('template', [
  z.object({
    template: z.literal('tokens_bought'),
    packageName: z.string(),
    tokenCount: z.number().int(),
    amountPence: pence,
    paidAt: z.string(),
  }),
  z.object({
    template: z.literal('tokens_taken_back'),
    reason: z.enum(['refund', 'dispute']),
    packageName: z.string(),
    tokens: z.number().int(),
    balance: z.number().int(),
  }),
  z.object({
    template: z.literal('subscription_paid'),
    reason: z.enum(['first', 'renewal', 'change']),
    packageName: z.string(),
    amountPence: pence,
    paidAt: z.string(),
    renewsAt: z.string().nullable(),
  }),
  z.object({
    template: z.literal('renewal_confirmation'),
    packageName: z.string(),
    amountPence: pence,
    graceUntil: z.string().nullable(),
  }),
  z.object({
    template: z.literal('renewal_failed'),
    packageName: z.string(),
    amountPence: pence,
    graceUntil: z.string().nullable(),
  }),
  z.object({
    template: z.literal('subscription_ended'),
    packageName: z.string(),
    reason: z.enum(['canceled', 'unpaid']),
  }),
]);

export type PaymentMail = z.infer<typeof paymentMailSchema>;

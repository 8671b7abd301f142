import { z } from 'zod';

const pence = z.number().int();

/** The common data of mails about an unpaid renewal. */
const renewal = {
  packageName: z.string(),
  /** Stripe's id of the unpaid invoice: the mail is not sent once that is paid or void. */
  invoiceId: z.string(),
  amountPence: pence,
  /** When the grace ends; null: the account is free already. */
  graceUntil: z.string().nullable(),
};

/** The facts of a mail about a payment. Amounts in pence, times as ISO-8601 UTC. */
export const paymentMailSchema = z.discriminatedUnion('template', [
  z.object({
    template: z.literal('tokens_bought'),
    packageName: z.string(),
    tokenCount: z.number().int().positive(),
    amountPence: pence,
    paidAt: z.string(),
  }),
  z.object({
    template: z.literal('tokens_taken_back'),
    reason: z.enum(['refund', 'dispute']),
    packageName: z.string(),
    /** The refunded or disputed amount. */
    amountPence: pence,
    /** How many tokens were taken now; a positive number. */
    tokens: z.number().int().positive(),
    /** The remaining balance; negative: owed. */
    balance: z.number().int(),
  }),
  z.object({
    template: z.literal('subscription_paid'),
    reason: z.enum(['first', 'renewal', 'change']),
    /** The plan after the payment. */
    packageName: z.string(),
    /** The charged amount; 0: a credit covered it. */
    amountPence: pence,
    paidAt: z.string(),
    /** Null: it is canceled at the end of its period. */
    renewsAt: z.string().nullable(),
  }),
  z.object({ template: z.literal('renewal_confirmation'), ...renewal }),
  z.object({ template: z.literal('renewal_failed'), ...renewal }),
  z.object({
    template: z.literal('subscription_ended'),
    packageName: z.string(),
    /** unpaid: a renewal was not paid before the grace ended. */
    reason: z.enum(['canceled', 'unpaid']),
  }),
]);

export type PaymentMail = z.infer<typeof paymentMailSchema>;

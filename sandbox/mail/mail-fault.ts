import { z } from 'zod';

/**
 * A fault of the mail server: it refuses with an SMTP status, 4xx for "later" and 5xx for "never", either a
 * recipient or, by default, the finished message.
 */
export const mailFaultSchema = z.strictObject({
  code: z.int().min(400).max(599),
  at: z.enum(['recipient', 'message']).optional(),
  count: z.int().min(1).max(100_000).optional(),
  persistent: z.boolean().optional(),
});
export type MailFault = z.infer<typeof mailFaultSchema>;

import { z } from 'zod';

/** A fault of signing in: the token call, the user call or the avatar answers with a status, or never. */
export const oauthFaultSchema = z.strictObject({
  at: z.enum(['token', 'user', 'avatar']),
  kind: z.enum(['status', 'hang', 'garbage']).default('status'),
  status: z.int().min(400).max(599).default(500),
  count: z.int().min(1).max(100_000).optional(),
  persistent: z.boolean().optional(),
});
export type OauthFault = z.infer<typeof oauthFaultSchema>;

import { z } from 'zod';
import type { BetaStats } from '#shared/beta/beta-stats';
import type { BetaUser } from '#shared/beta/beta-user';

export const betaUserSchema = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  requestedAt: z.string().nullable(),
  accountCreated: z.string(),
  approvedAt: z.string().nullable(),
}) satisfies z.ZodType<BetaUser>;

export const betaStatsSchema = z.object({
  totalUsers: z.number(),
  pendingRequests: z.number(),
  approvedUsers: z.number(),
  totalRequests: z.number(),
  approvalRate: z.number().describe('Per cent, with one decimal.'),
}) satisfies z.ZodType<BetaStats>;

/** The account that a decision is about. */
export const betaUserParams = z.object({ id: z.string().max(64) });

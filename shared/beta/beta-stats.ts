import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';

export interface BetaStats {
  /** Accounts whose email is confirmed. */
  totalUsers: number;
  pendingRequests: number;
  approvedUsers: number;
  /** Accounts that ever asked, those whose access was taken back too. */
  totalRequests: number;
  /** Approved of all that ever asked, in per cent with one decimal; 0 when nobody did. */
  approvalRate: number;
}

/** How the beta stands. */
export async function readBetaStats(db: Kysely<Schema>): Promise<BetaStats> {
  const counts = await db
    .selectFrom('users')
    .select(({ fn, lit, eb, and }) => {
      const countOf = (condition: ReturnType<typeof and>) =>
        fn.count<number>(eb.case().when(condition).then(lit(1)).end());
      return [
        countOf(and([eb('email_verified_at', 'is not', null)])).as('totalUsers'),
        countOf(and([eb('beta_requested_at', 'is not', null), eb('beta_approved_at', 'is', null)])).as(
          'pendingRequests',
        ),
        countOf(and([eb('beta_approved_at', 'is not', null)])).as('approvedUsers'),
        countOf(and([eb('beta_ever_requested', '=', 1)])).as('totalRequests'),
      ];
    })
    .executeTakeFirstOrThrow();
  const [totalUsers, pendingRequests, approvedUsers, totalRequests] = [
    Number(counts.totalUsers),
    Number(counts.pendingRequests),
    Number(counts.approvedUsers),
    Number(counts.totalRequests),
  ];
  return {
    totalUsers,
    pendingRequests,
    approvedUsers,
    totalRequests,
    approvalRate: totalRequests === 0 ? 0 : Math.round((approvedUsers / totalRequests) * 1000) / 10,
  };
}

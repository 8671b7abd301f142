import type { Database } from '../database/schema';

/** An account for decisions about beta access. Times are ISO-8601 UTC. */
export interface BetaUser {
  id: string;
  username: string;
  email: string;
  /** Null when access is not requested. */
  requestedAt: string | null;
  accountCreated: string;
  /** Null while it is not approved. */
  approvedAt: string | null;
}

/** The columns of a `BetaUser`. */
export const BETA_USER_COLUMNS = [
  'id',
  'username',
  'email',
  'beta_requested_at as requestedAt',
  'created_at as accountCreated',
  'beta_approved_at as approvedAt',
] as const;

/** Users with a pending request, longest wait first. */
export function listPendingUsers(db: Database): Promise<BetaUser[]> {
  return db
    .selectFrom('users')
    .select(BETA_USER_COLUMNS)
    .where('beta_requested_at', 'is not', null)
    .where('beta_approved_at', 'is', null)
    .orderBy('beta_requested_at')
    .orderBy('id')
    .execute();
}

/** Users with beta access, latest approval first. */
export function listApprovedUsers(db: Database): Promise<BetaUser[]> {
  return db
    .selectFrom('users')
    .select(BETA_USER_COLUMNS)
    .where('beta_approved_at', 'is not', null)
    .orderBy('beta_approved_at', 'desc')
    .orderBy('id')
    .execute();
}

/** An account's state of beta access. */
export interface BetaAccess {
  approved: boolean;
  /** ISO time; null: not requested. */
  requestedAt: string | null;
}

/** Reads an account's beta access. Throws when the account does not exist. */
export async function readBetaAccess(
  db: Database,
  { accountId }: { accountId: string },
): Promise<BetaAccess> {
  const { beta_approved_at, beta_requested_at } = await db
    .selectFrom('users')
    .select(['beta_approved_at', 'beta_requested_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { approved: beta_approved_at !== null, requestedAt: beta_requested_at };
}

export interface BetaStats {
  /** Accounts whose email is confirmed. */
  totalUsers: number;
  pendingRequests: number;
  approvedUsers: number;
  /** Accounts that ever requested access, including revoked ones. */
  totalRequests: number;
  /** Approved accounts as a percentage of `totalRequests`, with one decimal; 0 without requests. */
  approvalRate: number;
}

/** Counts the accounts by their state of beta access. */
export async function readBetaStats(db: Database): Promise<BetaStats> {
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

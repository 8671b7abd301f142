import { z } from 'zod';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { counted } from '../format';
import { requiredLine } from '../text';
import { appendEntry, grantSource, readBalance } from './token-ledger';

/** As many as the largest package has. */
const MOST_TOKENS = 1_000;
const TOKENS_RULE = `Please enter a whole number of tokens from −${MOST_TOKENS} to ${MOST_TOKENS}, but not 0.`;

/** What an admin grants. Fewer than 0 tokens are taken back. `requestId`: a UUID of the caller; each is granted once. */
export const grantFields = z.object({
  tokens: z
    .int(TOKENS_RULE)
    .min(-MOST_TOKENS, TOKENS_RULE)
    .max(MOST_TOKENS, TOKENS_RULE)
    .refine((tokens) => tokens !== 0, TOKENS_RULE),
  reason: requiredLine(200, 'Please enter a reason. Admins and the member can read it.'),
  requestId: z.uuid('Please reload the page and try again.'),
});

export interface TokenGrant extends z.output<typeof grantFields> {
  accountId: string;
  actor: Actor;
  clock: Clock;
}

export interface GrantResult {
  email: string;
  tokens: number;
  balance: number;
  /** This request had been granted already. */
  repeated: boolean;
}

/** What an admin reads after granting tokens. */
export function describeGrant({ email, tokens, balance, repeated }: GrantResult): string {
  const what = `${counted(Math.abs(tokens), 'token')} ${tokens > 0 ? 'granted' : 'taken back'}`;
  return `${repeated ? 'Done already: ' : ''}${what}. ${email} has ${counted(balance, 'token')} now.`;
}

function conflict(code: string, message: string): DomainError {
  return new DomainError('Conflict', { code, message });
}

async function requireGrantable(trx: Transaction, { accountId, actor }: TokenGrant): Promise<string> {
  const account = await trx
    .selectFrom('users')
    .select(['email', 'email_verified_at'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (account === undefined)
    throw new DomainError('NotFound', { code: 'unknown_user', message: 'This user does not exist.' });
  if (accountId === actor.userId)
    throw conflict('own_account', 'You cannot grant tokens to your own account. Ask another admin.');
  if (account.email_verified_at === null)
    throw conflict(
      'account_unconfirmed',
      'This account has never confirmed its address, so it gets no tokens.',
    );
  return account.email;
}

/** The result of a request that was granted before; null for a new one. Throws `Conflict` if it was another grant. */
async function findRepeated(
  trx: Transaction,
  { accountId, tokens, reason, requestId }: TokenGrant,
): Promise<boolean> {
  const before = await trx
    .selectFrom('token_grants')
    .select(['user_id', 'tokens', 'reason'])
    .where('id', '=', requestId)
    .executeTakeFirst();
  if (before === undefined) return false;
  if (before.user_id === accountId && before.tokens === tokens && before.reason === reason) return true;
  throw conflict(
    'request_used',
    'This form has already been sent with another number or reason. Reload the page to grant more.',
  );
}

/**
 * Grants tokens to a member, or takes some back that are there, and writes ledger, reason and audit log. A request that is
 * repeated is granted once. Throws `NotFound`, and `Conflict`: `own_account`, `account_unconfirmed`, `balance_too_low`,
 * `request_used`.
 */
export function grantTokens(db: Database, grant: TokenGrant): Promise<GrantResult> {
  const { accountId, tokens, reason, requestId, actor, clock } = grant;
  return inTransaction(db, async (trx) => {
    const email = await requireGrantable(trx, grant);
    const balance = await readBalance(trx, { accountId });
    if (await findRepeated(trx, grant)) return { email, tokens, balance, repeated: true };
    if (tokens < 0 && balance + tokens < 0)
      throw conflict(
        'balance_too_low',
        balance > 0
          ? `${email} has ${counted(balance, 'token')}, so no more than that can be taken back.`
          : `${email} has no tokens that could be taken back.`,
      );
    const now = clock.now();
    await trx
      .insertInto('token_grants')
      .values({
        id: requestId,
        user_id: accountId,
        tokens,
        reason,
        granted_by: actor.userId,
        created_at: toIso(now),
      })
      .execute();
    const entry = { kind: 'grant', tokens, source_id: grantSource(requestId) } as const;
    const after = await appendEntry(trx, { accountId, entry, now });
    // The reason is not repeated here: it goes with the account.
    const audit = { actor, action: 'tokens.grant', subject: accountId, details: { tokens } };
    await writeAudit(trx, audit, now);
    return { email, tokens, balance: after, repeated: false };
  });
}

import { DomainError } from '#shared/errors';
import { serverContext } from '../server/context.server';
import { noteAccount } from '../server/request-context.server';

type Way = 'password' | 'code' | 'discord' | 'passkey';

/** Logs a successful sign-in. The line names the account and the client's network, as all lines of its request do. */
function noteSignedIn(way: Way, accountId: string): void {
  noteAccount(accountId);
  serverContext().log.info({ way }, 'signed in');
}

/** Names the account of an address in the log. A refused attempt must say whose account it was for. */
async function noteAccountOf(email: string): Promise<void> {
  const account = await serverContext()
    .db.selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  if (account !== undefined) noteAccount(account.id);
}

/** Runs an attempt to sign in, and logs how it ended: from which network, and for which account if the address has one. */
export async function logSignIn<Result>(
  {
    way,
    email,
    accountOf,
  }: { way: Way; email?: string | undefined; accountOf(result: Result): { id: string } | null },
  attempt: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await attempt();
    const account = accountOf(result);
    if (account !== null) noteSignedIn(way, account.id);
    return result;
  } catch (error) {
    if (error instanceof DomainError) {
      if (email !== undefined) await noteAccountOf(email).catch(() => {});
      serverContext().log.warn({ way, refusal: error.code, err: error.cause }, 'sign-in refused');
    }
    throw error;
  }
}

import type { SignedIn } from '#shared/accounts/open-session';
import { Reply } from '../api/reply.server';
import { keepSignedIn } from './login.server';

/** A new session as the API answers with it: the token for a client of its own, the cookie for a browser. */
export async function signedInReply(request: Request, signedIn: SignedIn): Promise<Reply> {
  const { token, account } = signedIn;
  const headers = await keepSignedIn(request, signedIn);
  return new Reply({ token, user: { id: account.id, email: account.email } }, { headers });
}

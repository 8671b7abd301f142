import { z } from 'zod';
import { DAY } from '#shared/clock';
import type { EarlierSignIn } from '#shared/operation';
import { signedCookie } from '../cookies/signed-cookie.server';
import { serverContext } from '../server/context.server';

/** The longest a browser keeps any cookie (RFC 6265bis, section 5.5). */
export const BROWSER_LIFETIME_MS = 400 * DAY;

const cookie = signedCookie('packwatch_browser', { lifetimeMs: BROWSER_LIFETIME_MS });

/** The accounts of one browser that are kept, the latest first. */
const MAX_ACCOUNTS = 5;

const schema = z.array(z.object({ accountId: z.string(), at: z.number() }));

/** The sign-ins that this browser completed, one per account; none without its cookie. */
export async function readEarlierSignIns(request: Request): Promise<EarlierSignIn[]> {
  const text = await cookie.read(request);
  // A signature does not name its cookie: the text may be that of another one.
  return text === null ? [] : (schema.safeParse(JSON.parse(text)).data ?? []);
}

/** Adds the cookie by which this browser is known at the next sign-in to the account. */
export async function commitEarlierSignIn(
  request: Request,
  { headers, accountId }: { headers: Headers; accountId: string },
): Promise<void> {
  const others = (await readEarlierSignIns(request)).filter((earlier) => earlier.accountId !== accountId);
  const signIns: EarlierSignIn[] = [{ accountId, at: serverContext().clock.now() }, ...others];
  await cookie.commit(headers, JSON.stringify(signIns.slice(0, MAX_ACCOUNTS)));
}

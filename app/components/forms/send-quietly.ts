import { SECOND } from '#shared/clock';

const GIVE_UP_MS = 15 * SECOND;

/**
 * Posts to one of our addresses that answers by leading back to the page it was asked from, and leaves the page alone.
 * True: it was done; false: it was refused, or nobody answered. Never throws. A fetcher would put the error page in the
 * page's place when the line is down.
 */
export async function sendQuietly(path: string, form: FormData): Promise<boolean> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') body.append(name, value);
  try {
    const answer = await fetch(path, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    // What a redirect looks like that is not followed (fetch.spec.whatwg.org, "opaque-redirect filtered response").
    return answer.type === 'opaqueredirect';
  } catch {
    return false;
  }
}

import { SECOND } from '../../clock';
import { readLimited } from '../../network/read-limited';
import type { PublicWeb } from '../../network/public-web.server';
import { readRobotsRules, type RobotsRules } from './robots-rules';

const TIMEOUT_MS = 15 * SECOND;
/** Bytes of a robots.txt that are read (RFC 9309, section 2.5: at least 500 KiB). */
const MAX_BYTES = 500 * 1024;
/** Redirects that are followed; after more there are no rules (section 2.3.1.2). */
const MAX_REDIRECTS = 5;

/** The state of a host's robots.txt. `none`: everything is allowed; `unreachable`: nothing is (RFC 9309, section 2.3.1). */
export type Robots = { kind: 'rules'; rules: RobotsRules } | { kind: 'none' } | { kind: 'unreachable' };

/**
 * Requests the robots.txt of a page's host, only from public addresses and allowed private hosts. Failures, including
 * timeouts, are results. Rejects only when `stop` aborts.
 */
export async function readRobots(
  web: Pick<PublicWeb, 'request'>,
  { pageUrl, stop }: { pageUrl: string; stop: AbortSignal },
): Promise<Robots> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    return await followRobots(web, new URL('/robots.txt', pageUrl), signal);
  } catch {
    stop.throwIfAborted();
    return { kind: 'unreachable' };
  }
}

async function followRobots(
  web: Pick<PublicWeb, 'request'>,
  start: URL,
  signal: AbortSignal,
): Promise<Robots> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const { statusCode, headers, body } = await web.request(url, {
      signal,
      headers: { 'user-agent': 'Packwatch', accept: 'text/plain, */*;q=0.1' },
    });
    body.on('error', () => undefined);
    try {
      if (statusCode >= 200 && statusCode < 300)
        return { kind: 'rules', rules: readRobotsRules(await readLimited(body, { maxBytes: MAX_BYTES })) };
      if (statusCode >= 500) return { kind: 'unreachable' };
      const next = statusCode >= 400 ? null : URL.parse([headers.location ?? ''].flat()[0] ?? '', url);
      if (next === null || !/^https?:$/.test(next.protocol)) return { kind: 'none' };
      url = next;
    } finally {
      body.destroy();
    }
  }
  return { kind: 'none' };
}

import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../clock';

/** Resolves a name to its IP addresses, at least one. Rejects with a `code` as `dns.lookup` does. */
export type ResolveName = (hostname: string) => Promise<string[]>;

/** Of one query to one name server. */
const TRY_MS = 2 * SECOND;
const TRIES = 2;
const TIMEOUT_MS = 6 * SECOND;

/** The name does not exist, or has no address. */
const UNKNOWN = new Set<unknown>(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

function failure(hostname: string, code: 'ENOTFOUND' | 'EAI_AGAIN', cause?: unknown): Error {
  return Object.assign(new Error(`${hostname} could not be resolved`, { cause }), { code });
}

/**
 * Creates a resolver that queries the DNS servers itself. `dns.lookup` would use a thread of libuv's pool for as long as a
 * name server hangs (nodejs.org, "DNS", Implementation considerations): four such names would stop every lookup,
 * decompression and file access of the process. Does not read the hosts file. `servers`: `address:port` of each name
 * server, by default the system's.
 */
export function createResolver({
  servers,
  timeoutMs = TIMEOUT_MS,
}: { servers?: readonly string[]; timeoutMs?: number } = {}): ResolveName {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);

  async function query(hostname: string): Promise<string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const causes = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as unknown] : [],
    );
    const isUnknown = causes.every(
      (cause) => cause instanceof Error && 'code' in cause && UNKNOWN.has(cause.code),
    );
    throw failure(hostname, isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN', causes[0]);
  }

  return async (hostname) => {
    const answered = new AbortController();
    const { signal } = answered;
    const timeout = sleep(timeoutMs, null, { signal }).then(() => {
      throw failure(hostname, 'EAI_AGAIN');
    });
    try {
      return await Promise.race([query(hostname), timeout]);
    } finally {
      timeout.catch(() => undefined);
      answered.abort();
    }
  };
}

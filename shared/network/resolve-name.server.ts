import { Resolver } from 'node:dns/promises';
import { SECOND } from '../clock';

/** Resolves a name to its IP addresses, at least one. Rejects with a `code` as `dns.lookup` does. */
export type ResolveName = (hostname: string) => Promise<string[]>;

const TRY_MS = 2 * SECOND;
const TRIES = 2;

/** The name does not exist, or has no address. */
const UNKNOWN = new Set<unknown>(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Creates a resolver that asks the DNS servers itself. `dns.lookup` would use a thread of libuv's pool for as long as a
 * name server hangs (nodejs.org, "DNS", Implementation considerations): four such names would stop every lookup,
 * decompression and file access of the process. Does not read the hosts file.
 * `servers`: `address:port` of each name server, by default the system's.
 */
export function createResolver({ servers }: { servers?: readonly string[] } = {}): ResolveName {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const causes = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as unknown] : [],
    );
    const isUnknown = causes.every(
      (cause) => cause instanceof Error && 'code' in cause && UNKNOWN.has(cause.code),
    );
    throw Object.assign(new Error(`${hostname} could not be resolved`, { cause: causes[0] }), {
      code: isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN',
    });
  };
}

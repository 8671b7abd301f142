import { lookup } from 'node:dns/promises';
import { connect as openSocket, isIP, type Socket } from 'node:net';
import { SECOND } from '../../clock';
import type { ResolveName } from '../resolve-name.server';

/** The delay before the next address is tried in parallel (RFC 8305, section 5). */
const ATTEMPT_DELAY_MS = 250;
/** Addresses of one name that are tried. */
const MAX_ADDRESSES = 12;

export interface TcpTarget {
  /** A name or an IP address, IPv6 with or without brackets. */
  hostname: string;
  port: number;
}

export interface TcpOptions {
  /** Finds the addresses of a name. Default: the system's resolver, with the hosts file. */
  resolve?: ResolveName;
  /** Limit for the name and all addresses together. Default: 15 seconds. */
  timeoutMs?: number;
  attemptDelayMs?: number;
  /** Ends the attempts; the promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** No address accepted the connection in time. The code is the one that undici and Node use. */
class ConnectTimeoutError extends Error {
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';
}

const LOOPBACK = ['127.0.0.1', '::1'];

/** Names below `localhost` are this machine, as in browsers (RFC 6761, section 6.3); not every system knows them. */
async function resolveWithSystem(hostname: string): Promise<string[]> {
  if (hostname.toLowerCase().endsWith('.localhost')) return LOOPBACK;
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** Alternates between the families of addresses, beginning with the first address (RFC 8305, section 4). */
function alternate(addresses: readonly string[]): string[] {
  const first = addresses[0] === undefined ? 0 : isIP(addresses[0]);
  const preferred = addresses.filter((address) => isIP(address) === first);
  const others = addresses.filter((address) => isIP(address) !== first);
  const all = preferred.flatMap((address, at) => [address, others[at] ?? []].flat());
  return [...all, ...others.slice(preferred.length)].slice(0, MAX_ADDRESSES);
}

/**
 * Opens a TCP connection to the address of a name that accepts first (RFC 8305). An attempt continues until another one
 * succeeds or the time is over. Node's own `autoSelectFamily` ends each attempt but the last after 250 ms, so it fails on
 * slow lines (github.com/nodejs/node/issues/54359). Rejects with the most informative error.
 */
export async function connectTcp(
  { hostname, port }: TcpTarget,
  { resolve = resolveWithSystem, timeoutMs = 15 * SECOND, attemptDelayMs, signal }: TcpOptions = {},
): Promise<Socket> {
  signal?.throwIfAborted();
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const startedAt = performance.now();
  const addresses =
    isIP(host) === 0 ? alternate(await raceSignal(resolve(host), { timeoutMs, signal })) : [host];
  const remainingMs = Math.max(1, timeoutMs - (performance.now() - startedAt));
  return raceAddresses(addresses, { host, port, timeoutMs: remainingMs, attemptDelayMs, signal });
}

interface RaceOptions {
  host: string;
  port: number;
  timeoutMs: number;
  attemptDelayMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

function raceAddresses(
  addresses: readonly string[],
  { host, port, timeoutMs, attemptDelayMs = ATTEMPT_DELAY_MS, signal }: RaceOptions,
): Promise<Socket> {
  const waiting = [...addresses];
  const pending = new Set<Socket>();
  const failures: Error[] = [];
  let nextAttempt: NodeJS.Timeout | undefined;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => end(() => reject(new ConnectTimeoutError(`${host} did not accept the connection`))),
      timeoutMs,
    );
    const onAbort = (): void => end(() => reject(signal?.reason as Error));
    signal?.addEventListener('abort', onAbort, { once: true });
    tryNext();

    function end(settle: () => void): void {
      clearTimeout(timer);
      clearTimeout(nextAttempt);
      signal?.removeEventListener('abort', onAbort);
      waiting.length = 0;
      for (const socket of pending) socket.destroy();
      pending.clear();
      settle();
    }

    function tryNext(): void {
      clearTimeout(nextAttempt);
      const address = waiting.shift();
      if (address === undefined) {
        if (pending.size === 0) end(() => reject(mostTelling(failures, host)));
        return;
      }
      const socket = openSocket({ host: address, port, noDelay: true });
      pending.add(socket);
      socket.once('connect', () => {
        pending.delete(socket);
        socket.removeListener('error', onError);
        end(() => resolve(socket));
      });
      function onError(error: Error): void {
        // A socket that lost the race reports nothing.
        if (!pending.delete(socket)) return;
        failures.push(error);
        tryNext();
      }
      socket.on('error', onError);
      if (waiting.length > 0) nextAttempt = setTimeout(tryNext, attemptDelayMs);
    }
  });
}

const NO_ROUTE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** A machine without IPv6 has no route to such an address; the error of the other address is more informative. */
function mostTelling(failures: readonly Error[], host: string): Error {
  const answered = failures.find((error) => !('code' in error) || !NO_ROUTE.has(String(error.code)));
  return answered ?? failures[0] ?? Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
}

function raceSignal<T>(
  work: Promise<T>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(Object.assign(new Error('the name was not resolved in time'), { code: 'EAI_AGAIN' })),
      timeoutMs,
    );
    const onAbort = (): void => reject(signal?.reason as Error);
    signal?.addEventListener('abort', onAbort, { once: true });
    const clear = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    work.then(resolve, reject).finally(clear);
  });
}

import { MINUTE, SECOND } from '../../clock';

/**
 * What the response to a request says about the host. `answered`: Discord handled it. `invalid`: it counts against the
 * limit of invalid requests (401, 403, 429). `blocked`: the edge in front of Discord refuses this machine's address
 * without a time to wait. `unknown`: no response, or a server error.
 */
export type HostResponse = 'answered' | 'invalid' | 'blocked' | 'unknown';

/** A request that may be sent (`waitMs` 0), or must wait. */
export interface HostRequest {
  waitMs: number;
  /** Call it once when a sent request ended. Returns how long the next request must wait, in ms. */
  end(response: HostResponse): number;
}

/** Pauses all requests to a host while it blocks this machine. */
export interface HostPauses {
  begin(host: string): HostRequest;
}

/** The pauses after the 1st, 2nd … refusal in a row. Each request during a ban prolongs it. */
const PAUSES_MS = [5 * SECOND, 15 * SECOND, 45 * SECOND, 2 * MINUTE];
/** After a pause one request is sent; the others wait this long for its response. */
const PROBE_MS = 2 * SECOND;
/**
 * Discord blocks an address after 10,000 invalid requests in ten minutes (Discord docs, "Rate limits", Invalid Request
 * Limit). A tenth leaves room for other programs of the same address.
 */
const INVALID_WINDOW_MS = 10 * MINUTE;
const INVALID_LIMIT = 1_000;

interface Host {
  /** Epoch ms, as the others. */
  pausedUntil: number;
  /** Refusals in a row without a time to wait. */
  refusals: number;
  /** How many pauses have begun; a request knows which one it was sent after. */
  pauses: number;
  invalid: number;
  windowBegan: number;
}

/**
 * Creates the pauses of all hosts that one client requests. Nothing is awaited. `now`: epoch ms; the clock may be set
 * back, which ends a pause at the latest after the longest one.
 */
export function createHostPauses({ now }: { now: () => number }): HostPauses {
  // Hosts come from the list of allowed hosts.
  const hosts = new Map<string, Host>();

  function hostOf(name: string): Host {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    const added = { pausedUntil: 0, refusals: 0, pauses: 0, invalid: 0, windowBegan: 0 };
    hosts.set(name, added);
    return added;
  }

  function leftOf(host: Host): number {
    const left = host.pausedUntil - now();
    return left > INVALID_WINDOW_MS ? 0 : Math.max(0, left);
  }

  function pause(host: Host, until: number): void {
    host.pausedUntil = until;
    host.refusals += 1;
    host.pauses += 1;
  }

  function countInvalid(host: Host): void {
    const at = now();
    if (at < host.windowBegan || at - host.windowBegan >= INVALID_WINDOW_MS)
      Object.assign(host, { windowBegan: at, invalid: 0 });
    host.invalid += 1;
    if (host.invalid === INVALID_LIMIT) pause(host, host.windowBegan + INVALID_WINDOW_MS);
  }

  return {
    begin(name) {
      const host = hostOf(name);
      const waitMs = leftOf(host);
      const sentAfter = host.pauses;
      if (waitMs === 0 && host.refusals > 0) host.pausedUntil = now() + PROBE_MS;
      return {
        waitMs,
        end(response) {
          if (response === 'invalid' || response === 'blocked') countInvalid(host);
          // Requests that were sent together begin one pause.
          if (host.pauses !== sentAfter || response === 'unknown') return leftOf(host);
          if (response === 'blocked')
            pause(host, now() + (PAUSES_MS[Math.min(host.refusals, PAUSES_MS.length - 1)] as number));
          else Object.assign(host, { refusals: 0, pausedUntil: 0 });
          return leftOf(host);
        },
      };
    },
  };
}

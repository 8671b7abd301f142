import type { PageAnswer } from '#shared/monitor/verdict';
import { isSameOrganisation, parseAddress, queryParts } from './web-address';

/** Queue-it's own hosts that are no customer's queue: files, portal, documentation. */
const QUEUE_IT_OFFICES = /^(?:assets|static|cdn|go|www|docs|api|status|support|content|queueclient)\./;
const QUEUE_FAIR_OFFICES = /^(?:files|portal|www|docs|support)\./;
/** Pages on a queue's host where nobody stands in line: the event is over, the visitor was refused or has left. */
const QUEUE_IT_OVER = /\/(?:after(?:event)?|error\w*|exit(?:line)?|cancel\w*)(?:\.aspx)?(?:[/?#]|$)/i;
/** How shops call the host that their queue stands on. */
export const QUEUE_HOST =
  /^(?:queue|queues|q|queueing|waitingroom|waiting-room|waiting|lobby|line|wr|vwr|fila|cola|coda|kolejka|warteschlange|warteraum|wachtrij|filedattente)\d*\./i;

/** Which waiting room an address leads into. */
export interface RoomAddress {
  vendor: 'queue-it' | 'queue-fair' | 'imperva' | 'shopify';
  over: boolean;
}

/**
 * Says whether an address is a waiting room's own. Facts: github.com/queueit (customer.queue-it.net/?c=…&e=…, also
 * under a host of the shop's), github.com/Queue-Fair (customer.queue-fair.net), Shopify's checkout queue
 * (/throttle/queue), the imperva/incapsula Terraform provider's waiting_room (wrid).
 */
export function readRoomAddress(address: string, base?: string): RoomAddress | null {
  if (isImpervaRoomFrame(address)) return { vendor: 'imperva', over: false };
  const url = parseAddress(address, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.toLowerCase();
  const over = QUEUE_IT_OVER.test(url.pathname);
  if (host.endsWith('.queue-it.net'))
    return QUEUE_IT_OFFICES.test(host) ? null : { vendor: 'queue-it', over };
  if (host.endsWith('.queue-fair.net')) {
    return QUEUE_FAIR_OFFICES.test(host) ? null : { vendor: 'queue-fair', over: false };
  }
  if (/^\/throttle\/queue(?:\/|$)/i.test(url.pathname)) return { vendor: 'shopify', over: false };
  const parts = queryParts(address);
  if (!parts.get('c') || !parts.get('e')) return null;
  const returns = /^https?:\/\/[^/]/i.test(parts.get('t') ?? '');
  if (QUEUE_HOST.test(host) || returns) return { vendor: 'queue-it', over };
  return null;
}

/** The number of the room in the address of Imperva's frame; without one the same frame is its bot wall. */
export function isImpervaRoomFrame(address: string): boolean {
  return isImpervaResource(address) && /^[1-9]\d*$/.test(queryParts(address).get('wrid')?.trim() ?? '');
}

/** Imperva's own path, which block, room and sensor share. */
export function isImpervaResource(address: string): boolean {
  return /^(?:https?:)?(?:\/\/[^/?#]+)?\/?_Incapsula_Resource(?:[?/&]|%3f|$)/i.test(address.trim());
}

/**
 * Whether the answer ended on a queue's host. A queue on the shop's own domain is told by where it sends its
 * visitors back to, and only when the shop's page was asked for elsewhere.
 */
export function endedInRoom(answer: PageAnswer): RoomAddress | null {
  const room = readRoomAddress(answer.finalUrl);
  if (room === null || room.vendor !== 'queue-it') return room;
  const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
  if (to === null || to.hostname.endsWith('.queue-it.net')) return room;
  const moved =
    from !== null && from.hostname !== to.hostname && isSameOrganisation(from.hostname, to.hostname);
  return moved || QUEUE_HOST.test(to.hostname) ? room : null;
}

import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { parseAddress, queryParts } from '../fetch/web-address';

/** Queue-it's own hosts that are no customer's queue: files, portal, documentation. */
const QUEUE_IT_OFFICES = /^(?:assets|static|cdn|go|www|docs|api|status|support|content|queueclient)\./;
const QUEUE_FAIR_OFFICES = /^(?:files|portal|www|docs|support)\./;
/** Pages on a queue's host where nobody stands in line: the event is over, the visitor was refused or has left. */
const QUEUE_IT_OVER = /\/(?:after(?:event)?|error\w*|exit(?:line)?|cancel\w*)(?:\.aspx)?(?:[/?#]|$)/i;
/** How shops call the host that their queue stands on. */
export const QUEUE_HOST =
  /^(?:queue|queues|q|queueing|wait|waitingroom|waiting-room|waiting|lobby|line|wr|vwr|fila|cola|coda|kolejka|warteschlange|warteraum|wachtrij|filedattente)\d*\./i;

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
  const room = readKnownRoom(address, base);
  if (room !== null) return room;
  const url = parseAddress(address, base);
  const parts = queryParts(address);
  if (url === null || !parts.get('c') || !parts.get('e')) return null;
  const returns = /^https?:\/\/[^/]/i.test(parts.get('t') ?? '');
  return QUEUE_HOST.test(url.hostname) || returns
    ? { vendor: 'queue-it', over: QUEUE_IT_OVER.test(url.pathname) }
    : null;
}

function readKnownRoom(address: string, base: string | undefined): RoomAddress | null {
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

const OTHER_QUEUE_IT_PARTS = ['t', 'cid', 'ver', 'q', 'qid', 'man', 'kupver', 'scv', 'enqueuetoken'];

/** Whether an address names a customer and an event as Queue-it does (`?c=…&e=…`), on whatever host. */
export function hasQueueItParts(address: string): boolean {
  const parts = queryParts(address);
  return Boolean(parts.get('c')) && Boolean(parts.get('e'));
}

/**
 * Whether the answer ended on a queue's host. A queue on a domain of the shop's own has Queue-it's parameters, and
 * the shop's page was asked for at another host; a search of the shop may have the same parameters.
 */
export function endedInRoom(answer: PageAnswer): RoomAddress | null {
  const known = readKnownRoom(answer.finalUrl, undefined);
  if (known !== null) return known;
  const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
  if (to === null || (from?.hostname === to.hostname && !QUEUE_HOST.test(to.hostname))) return null;
  if (!hasQueueItParts(answer.finalUrl)) return null;
  const parts = queryParts(answer.finalUrl);
  const told = QUEUE_HOST.test(to.hostname) || OTHER_QUEUE_IT_PARTS.some((name) => parts.has(name));
  return told ? { vendor: 'queue-it', over: QUEUE_IT_OVER.test(to.pathname) } : null;
}

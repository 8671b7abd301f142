import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { parseAddress, queryParameters } from '../fetch/web-address';

/** Queue-it's own hosts, which are not customers' queues: files, portal, documentation. */
const QUEUE_IT_OWN_HOSTS = /^(?:assets|static|cdn|go|www|docs|api|status|support|content|queueclient)\./;
const QUEUE_FAIR_OWN_HOSTS = /^(?:files|portal|www|docs|support)\./;
/** Pages on a queue's host where no visitor waits: the event is over, or the visitor was rejected or has left. */
const QUEUE_IT_OVER = /\/(?:after(?:event)?|error\w*|exit(?:line)?|cancel\w*)(?:\.aspx)?(?:[/?#]|$)/i;
/** Usual names of the host of a shop's queue. */
export const QUEUE_HOST =
  /^(?:queue|queues|q|queueing|wait|waitingroom|waiting-room|waiting|lobby|line|wr|vwr|fila|cola|coda|kolejka|warteschlange|warteraum|wachtrij|filedattente)\d*\./i;

/** The waiting room that an address leads to. `over`: no visitor waits on its page. */
export interface RoomAddress {
  over: boolean;
}

/**
 * Recognises the address of a waiting room; null otherwise. Sources: github.com/queueit (customer.queue-it.net/?c=…&e=…,
 * also under the shop's own host), github.com/Queue-Fair (customer.queue-fair.net), Shopify's checkout queue
 * (/throttle/queue), the waiting_room (wrid) of the imperva/incapsula Terraform provider.
 */
export function readRoomAddress(address: string, base?: string): RoomAddress | null {
  const room = readKnownRoom(address, base);
  if (room !== null) return room;
  const url = parseAddress(address, base);
  const parts = queryParameters(address);
  if (url === null || !parts.get('c') || !parts.get('e')) return null;
  const returns = /^https?:\/\/[^/]/i.test(parts.get('t') ?? '');
  return QUEUE_HOST.test(url.hostname) || returns ? { over: QUEUE_IT_OVER.test(url.pathname) } : null;
}

function readKnownRoom(address: string, base: string | undefined): RoomAddress | null {
  if (isImpervaRoomFrame(address)) return { over: false };
  const url = parseAddress(address, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.toLowerCase();
  const over = QUEUE_IT_OVER.test(url.pathname);
  if (host.endsWith('.queue-it.net')) return QUEUE_IT_OWN_HOSTS.test(host) ? null : { over };
  if (host.endsWith('.queue-fair.net')) {
    return QUEUE_FAIR_OWN_HOSTS.test(host) ? null : { over: false };
  }
  if (/^\/throttle\/queue(?:\/|$)/i.test(url.pathname)) return { over: false };
  return null;
}

/** Whether the address of Imperva's frame has a room number. Without one, the same frame is Imperva's bot wall. */
export function isImpervaRoomFrame(address: string): boolean {
  return isImpervaResource(address) && /^[1-9]\d*$/.test(queryParameters(address).get('wrid')?.trim() ?? '');
}

/** Whether an address has Imperva's own path, which block page, waiting room and sensor share. */
export function isImpervaResource(address: string): boolean {
  return /^(?:https?:)?(?:\/\/[^/?#]+)?\/?_Incapsula_Resource(?:[?/&]|%3f|$)/i.test(address.trim());
}

const OTHER_QUEUE_IT_PARAMETERS = ['t', 'cid', 'ver', 'q', 'qid', 'man', 'kupver', 'scv', 'enqueuetoken'];

/** Whether an address has Queue-it's parameters for customer and event (`?c=…&e=…`), on any host. */
export function hasQueueItParameters(address: string): boolean {
  const parts = queryParameters(address);
  return Boolean(parts.get('c')) && Boolean(parts.get('e'));
}

/**
 * The waiting room that the answer ended on, or null. On the shop's own domain, Queue-it's parameters count only on
 * another host than the requested one or on a queue's host: a search of the shop can have the same parameters.
 */
export function endedInRoom(answer: PageAnswer): RoomAddress | null {
  const known = readKnownRoom(answer.finalUrl, undefined);
  if (known !== null) return known;
  const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
  if (to === null || (from?.hostname === to.hostname && !QUEUE_HOST.test(to.hostname))) return null;
  if (!hasQueueItParameters(answer.finalUrl)) return null;
  const parts = queryParameters(answer.finalUrl);
  const isQueue = QUEUE_HOST.test(to.hostname) || OTHER_QUEUE_IT_PARAMETERS.some((name) => parts.has(name));
  return isQueue ? { over: QUEUE_IT_OVER.test(to.pathname) } : null;
}

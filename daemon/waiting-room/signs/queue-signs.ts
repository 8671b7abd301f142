import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { endedInRoom, hasQueueItParameters, readRoomAddress } from './room-address';
import { findAddress, findCookie, findId, quoteScript, signRules, type SignInput } from './sign-rule';
import { decodeLoosely } from '../fetch/web-address';
import { readRefresh } from '../parse/read-refresh';

const HELD_PAGES = /^(?:queue|before|idle|softblock|prequeue|inqueue)$/;
const OVER_PAGES = /^(?:after|error|exit|cancel|cancelled)$/;
const LOCATION = '(?:window\\.|document\\.|self\\.|top\\.|parent\\.)?location(?:\\.href)?';
const ADDRESS =
  '(?<quote>["\'`])(?<address>(?:(?:https?:)?//|https?%3a%2f%2f|/throttle/queue)[^"\'`\\s<>]{0,2000})\\k<quote>';
const DECODED = '\\s*(?:decodeURIComponent\\s*\\(\\s*)?';
const SENT_BY_SCRIPT = new RegExp(
  `${LOCATION}\\s*(?:=|\\.(?:replace|assign)\\s*\\()${DECODED}${ADDRESS}`,
  'gi',
);
const NAMED_ADDRESS = new RegExp(`\\b(?<name>[\\w$]{1,40})\\s*=${DECODED}${ADDRESS}`, 'gi');

/** Queue-it, Queue-Fair and Shopify: waiting rooms at their own address, to which the shop redirects. */
export const QUEUE_SIGNS = signRules({ pointsTo: 'waiting_room', role: 'decisive' }, [
  {
    id: 'queue-host',
    role: 'certain',
    weight: 100,
    source:
      'github.com/queueit, github.com/Queue-Fair, Shopify: the answer ended on the address of a queue, with a page',
    find: ({ answer, page }) => {
      const room = endedInRoom(answer);
      if (room === null || room.over || page.format === 'empty' || answer.status >= 400) return null;
      return answer.finalUrl;
    },
  },
  {
    id: 'queue-host-answering-late',
    weight: 80,
    source:
      "Waiting rooms are also served with 429 and 503: any page of a queue's own host is its waiting room",
    find: ({ answer, page }) =>
      endedInRoom(answer)?.over === false &&
      (answer.status === 429 || answer.status === 503) &&
      hasOwnWords(page.text)
        ? answer.finalUrl
        : null,
  },
  {
    id: 'queue-redirect-header',
    role: 'certain',
    weight: 100,
    source: 'github.com/queueit KnownUser connectors: x-queueit-redirect, also with status 200',
    find: ({ header }) => header('x-queueit-redirect') || null,
  },
  {
    id: 'queue-redirect',
    role: 'certain',
    weight: 100,
    source: 'The answer itself is the redirect (or the refresh header) that leads into the queue',
    find: (input) => redirectIntoRoom(input.answer) ?? refreshHeaderIntoRoom(input),
  },
  {
    id: 'queue-it-page',
    weight: 100,
    source: 'Queue-it pages captured in public: data-pageid queue, before, idle or softblock',
    find: ({ page }) => {
      const id = page.pageIds[0];
      return id !== undefined && HELD_PAGES.test(id) ? `data-pageid="${id}"` : null;
    },
  },
  {
    id: 'queue-it-view',
    weight: 90,
    source: 'Queue-it pages captured in public: QueueIt.Queue.InQueueView',
    find: (input) => quoteScript(input, /QueueIt\.Queue\.InQueueView\b/),
  },
  {
    id: 'queue-it-elements',
    weight: 90,
    source: 'Queue-it pages captured in public: ids MainPart_…, queue-it_log; assets of its queue front',
    find: (input) =>
      findId(input, [
        'MainPart_lbQueueNumber',
        'MainPart_lbUsersInLineAheadOfYou',
        'MainPart_lbWhichIsIn',
        'queue-it_log',
      ]) ??
      findAddress(
        [...input.page.scriptAddresses, ...input.page.styleAddresses],
        /queue-it\.net\/static\/QueueFront\//i,
      ),
  },
  {
    id: 'queue-it-own-host',
    weight: 90,
    source: "github.com/queueit: a shop's own host with ?c=…&e=…, and Queue-it's names in the page",
    find: (input) =>
      hasQueueItParameters(input.answer.finalUrl) && input.answer.status < 500 ? queueItName(input) : null,
  },
  {
    id: 'queue-it-title',
    weight: 70,
    source: 'The title of Queue-it pages without a custom design',
    find: ({ page }) => (page.title === 'queue-it' ? 'title "Queue-it"' : null),
  },
  {
    id: 'queue-frame',
    weight: 90,
    source: 'A frame or refresh of the page that loads the queue',
    find: ({ page, answer }) =>
      [...page.frames, ...page.refreshes.map(({ url }) => url ?? '')].find((address) =>
        leadsIntoRoom(address, answer.finalUrl),
      ) ?? null,
  },
  {
    id: 'queue-script-redirect',
    weight: 90,
    source: 'A script of the page sends the browser to the address of a queue',
    find: (input) => scriptIntoRoom(input),
  },
  {
    id: 'queue-form',
    weight: 80,
    source: 'A form to the address of a queue that a script of the page submits',
    find: (input) =>
      quoteScript(input, /\.submit\s*\(/) === null
        ? null
        : (input.page.formAddresses.find((address) => leadsIntoRoom(address, input.answer.finalUrl)) ?? null),
  },
  {
    id: 'queue-redirect-json',
    role: 'certain',
    weight: 90,
    source: 'github.com/queueit: the answer to a script request holds the redirect address as JSON',
    find: ({ page, answer }) => redirectInJson(page.json, answer.finalUrl),
  },
  {
    id: 'queue-it-over',
    pointsTo: 'nothing',
    role: 'over',
    weight: 90,
    source: 'Queue-it: on pages with data-pageid after or error, /afterevent and /error403 no visitor waits',
    find: (input) => overPage(input),
  },
  {
    id: 'queue-connector',
    pointsTo: 'nothing',
    role: 'plain',
    weight: 0,
    source: 'Shops with Queue-it or Queue-Fair carry the connector on every page, queue or no queue',
    find: (input) =>
      findAddress(
        input.page.scriptAddresses,
        /queueclient(?:\.min)?\.js|queueconfigloader(?:\.min)?\.js|queue-fair-adapter/i,
      ) ??
      (input.page.attributeNames.has('data-queueit-c') ? 'data-queueit-c' : null) ??
      findCookie(input, 'queueitaccepted-') ??
      (input.header('x-queueit-connector') === null ? null : 'header x-queueit-connector'),
  },
  {
    id: 'queue-passed',
    pointsTo: 'nothing',
    role: 'plain',
    weight: 0,
    source: 'A redirect through the queue that came back: this visitor is through',
    find: ({ answer }) =>
      endedInRoom(answer) === null
        ? (answer.hops.find((hop) => readRoomAddress(hop.url, answer.requestUrl) !== null)?.url ?? null)
        : null,
  },
]);

const QUEUE_IT_ELEMENT =
  /^(?:MainPart_(?:lb|p|div|h)[A-Z0-9]\w*|lbHeader(?:H2|P)|aThisIsQueueIt|queue-it_log)$/;

/** Evidence that Queue-it made the page: names that the shop's own Queue-it connector does not use. */
function queueItName(input: SignInput): string | null {
  const { page } = input;
  const element = [...page.ids].find((id) => QUEUE_IT_ELEMENT.test(id));
  if (element !== undefined) return `#${element}`;
  return (
    findAddress(
      [...page.scriptAddresses, ...page.styleAddresses],
      /queue-it\.net\/(?!script\/queue(?:client|configloader))/i,
    ) ??
    quoteScript(input, /\bQueueIt\.Queue\b|\bqueueViewModel\b/) ??
    /(?:powered by|provided by|this is) queue-it/.exec(page.text)?.[0] ??
    null
  );
}

function hasOwnWords(text: string): boolean {
  return !/^(?:error|http)? ?[45]\d\d/.test(text) && text.length > 60;
}

function leadsIntoRoom(address: string, base: string): boolean {
  return readRoomAddress(address, base)?.over === false;
}

function redirectIntoRoom(answer: PageAnswer): string | null {
  const location = answer.headers['location'];
  const target = typeof location === 'string' ? location : location?.[0];
  if (target === undefined || answer.status < 300 || answer.status >= 400) return null;
  return leadsIntoRoom(target, answer.finalUrl) ? target : null;
}

function redirectInJson(json: unknown, base: string): string | null {
  if (typeof json !== 'object' || json === null) return null;
  for (const [name, value] of Object.entries(json)) {
    if (
      /^redirect(?:_?(?:url|to|uri))?$/i.test(name) &&
      typeof value === 'string' &&
      leadsIntoRoom(value, base)
    )
      return value;
  }
  return null;
}

function refreshHeaderIntoRoom({ header, answer }: SignInput): string | null {
  const refresh = readRefresh(header('refresh') ?? '');
  return refresh?.url && leadsIntoRoom(refresh.url, answer.finalUrl) ? refresh.url : null;
}

function scriptIntoRoom({ page, answer }: SignInput): string | null {
  const base = answer.finalUrl;
  for (const script of page.scripts) {
    for (const match of script.matchAll(SENT_BY_SCRIPT)) {
      const target = written(match.groups?.['address']);
      if (leadsIntoRoom(target, base)) return target;
    }
    if (!/location/.test(script)) continue;
    const tried = new Set<string>();
    for (const match of script.matchAll(NAMED_ADDRESS)) {
      const name = match.groups?.['name'] ?? '';
      const target = written(match.groups?.['address']);
      if (tried.size >= MAX_NAMES) break;
      if (tried.has(name) || !leadsIntoRoom(target, base)) continue;
      tried.add(name);
      if (isSentTo(script, name)) return target;
    }
  }
  return null;
}

const MAX_NAMES = 20;

function isSentTo(script: string, name: string): boolean {
  const literal = name.replaceAll('$', '\\$');
  return new RegExp(`location(?:\\.href)?\\s*(?:=|\\.(?:replace|assign)\\s*\\()\\s*${literal}\\b`).test(
    script,
  );
}

/** The address that a script writes, decoded when it is percent-encoded as a whole. */
function written(address: string | undefined): string {
  if (address === undefined) return '';
  return /^https?%3a/i.test(address) ? decodeLoosely(address) : address;
}

function overPage({ page, answer }: SignInput): string | null {
  const pageId = page.pageIds[0];
  if (pageId !== undefined && OVER_PAGES.test(pageId)) return `data-pageid="${pageId}"`;
  if (endedInRoom(answer)?.over === true) return answer.finalUrl;
  for (const script of page.scripts) {
    const id = /InQueueView|queueViewModel/.test(script)
      ? /["']?pageId["']?\s*:\s*["'](\w+)["']/.exec(script)
      : null;
    if (id?.[1] !== undefined && OVER_PAGES.test(id[1])) return `pageId ${id[1]}`;
  }
  return null;
}

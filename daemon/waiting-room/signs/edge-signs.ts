import { readRefresh } from '../parse/read-refresh';
import { QUEUE_HOST } from './room-address';
import { PATIENCE } from '../words/shop-words';
import { parseAddress } from '../fetch/web-address';
import { findAddress, findCookie, findId, quoteScript, signRules, type SignInput } from './sign-rule';

/** Waiting rooms that a CDN serves in front of the shop, at the shop's own address. */
export const EDGE_SIGNS = signRules({ pointsTo: 'waiting_room', role: 'supporting' }, [
  {
    id: 'json-in-waiting-room',
    role: 'certain',
    weight: 100,
    source:
      'developers.cloudflare.com/waiting-room (JSON response), alibabacloud.com/help (ESA JSON response)',
    find: ({ page }) => (page.format === 'json' ? findInWaitingRoom(page.json, true) : null),
  },
  {
    id: 'json-not-in-waiting-room',
    pointsTo: 'nothing',
    role: 'plain',
    weight: 0,
    source: 'The same object for a visitor who is not waiting',
    find: ({ page }) => (page.format === 'json' ? findInWaitingRoom(page.json, false) : null),
  },
  {
    id: 'cloudflare-room-template',
    role: 'decisive',
    weight: 80,
    source: "Cloudflare's default waiting room: waitingrooms-text, #waitTime beside #last-updated, title",
    find: ({ page }) => {
      if (page.classes.has('waitingrooms-text') || page.ids.has('waitingrooms-text'))
        return 'waitingrooms-text';
      if (page.ids.has('waitTime') && page.ids.has('last-updated')) return '#waitTime and #last-updated';
      return /waiting room powered by cloudflare/.test(`${page.title}\n${page.addressedText}`)
        ? 'Waiting Room powered by Cloudflare'
        : null;
    },
  },
  {
    id: 'datadome-priority-room',
    role: 'decisive',
    weight: 80,
    source: 'docs.datadome.co, Priority Protect custom templates: data-priorityprotect-var',
    find: ({ page }) =>
      page.attributeNames.has('data-priorityprotect-var') ? 'data-priorityprotect-var' : null,
  },
  {
    id: 'aws-room-calls',
    role: 'decisive',
    weight: 80,
    source: 'docs.aws.amazon.com, Virtual Waiting Room on AWS: its public API serving_num and queue_num',
    find: (input) =>
      input.page.scripts.some((script) => /\bserving_num\b/.test(script))
        ? quoteScript(input, /\bqueue_num\b/)
        : null,
  },
  {
    id: 'aws-room-texts',
    role: 'decisive',
    weight: 60,
    source:
      "The sample pages of Virtual Waiting Room on AWS: the serving position beside the visitor's place in line",
    find: ({ page }) =>
      /serving position|now serving/.test(page.addressedText) &&
      /(?:my|your) (?:position|place)|place in line/.test(page.addressedText)
        ? 'serving position and own position'
        : null,
  },
  {
    id: 'cloudflare-room-cookie',
    weight: 40,
    source: 'developers.cloudflare.com/waiting-room: __cfwaitingroom, set for admitted visitors as well',
    find: (input) => findCookie(input, '__cfwaitingroom'),
  },
  {
    id: 'akamai-room-cookie',
    weight: 50,
    source: 'techdocs.akamai.com, visitor prioritization: akavpwr_ for waiting visitors',
    find: (input) => findCookie(input, 'akavpwr_'),
  },
  {
    id: 'alibaba-room-cookie',
    weight: 40,
    source: 'alibabacloud.com/help (ESA): cookie __aliwaitingroom…',
    find: (input) => findCookie(input, '__aliwaitingroom'),
  },
  {
    id: 'queue-named-host',
    weight: 40,
    source: 'Self-hosted waiting rooms use a host such as queue.shop.example, to which the shop redirects',
    find: ({ answer }) => {
      const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
      if (from === null || to === null || from.hostname === to.hostname) return null;
      return QUEUE_HOST.test(to.hostname) ? to.hostname : null;
    },
  },
  {
    id: 'words-patience',
    weight: 5,
    source: 'Waiting pages ask for patience; so do loading screens and error pages',
    find: ({ page }) => PATIENCE.exec(`${page.title}\n${page.addressedText}`)?.[0] ?? null,
  },
  {
    id: 'refresh-header',
    weight: 25,
    source:
      'developers.cloudflare.com/waiting-room: the room reloads itself every 20 seconds by a refresh header',
    find: ({ header, answer }) => {
      const refresh = readRefresh(header('refresh') ?? '');
      return refresh !== null && isSamePage(refresh.url, answer.finalUrl) && refresh.seconds > 0
        ? `refresh: ${refresh.seconds}`
        : null;
    },
  },
  {
    id: 'refresh-element',
    weight: 15,
    source: 'Waiting rooms of many vendors reload themselves with a meta element',
    find: ({ page, answer }) => {
      const reload = page.refreshes.find(
        ({ url, seconds }) => seconds > 0 && seconds <= 120 && isSamePage(url, answer.finalUrl),
      );
      return reload === undefined ? null : `meta refresh: ${reload.seconds}`;
    },
  },
  {
    id: 'held-status',
    weight: 10,
    source: 'Cloudflare and Alibaba queue with 200, 202 or 429; GIL Waiting Room with 503 and Retry-After',
    find: ({ answer, header }) => {
      if (answer.status === 202 || answer.status === 429) return `status ${answer.status}`;
      return answer.status === 503 && header('retry-after') !== null ? 'status 503 with Retry-After' : null;
    },
  },
  {
    id: 'akamai-admitted',
    pointsTo: 'nothing',
    role: 'plain',
    weight: 0,
    source: 'techdocs.akamai.com: akavpau_ marks admitted visitors',
    find: (input) => findCookie(input, 'akavpau_'),
  },
  {
    id: 'cloudflare-page-sensor',
    pointsTo: 'nothing',
    role: 'plain',
    weight: 0,
    source: 'Cloudflare puts /cdn-cgi/challenge-platform/…/jsd/… on ordinary pages',
    find: (input) =>
      findAddress(input.page.scriptAddresses, /\/cdn-cgi\/challenge-platform\/\S{0,200}\/jsd\//) ??
      quoteScript(input, /\/cdn-cgi\/challenge-platform\/\S{0,200}?\/jsd\//),
  },
  {
    id: 'bot-tag',
    pointsTo: 'nothing',
    role: 'plain',
    weight: 0,
    source: 'DataDome and HUMAN put their tags on ordinary pages',
    find: (input) =>
      findAddress(input.page.scriptAddresses, /js\.datadome\.co\//) ??
      quoteScript(input, /\b_pxAppId\b/) ??
      captchaWidget(input),
  },
]);

function isSamePage(url: string | null, current: string): boolean {
  if (url === null) return true;
  const [to, here] = [parseAddress(url, current), parseAddress(current)];
  return to !== null && here !== null && to.hostname === here.hostname && to.pathname === here.pathname;
}

function captchaWidget(input: SignInput): string | null {
  const widget = ['g-recaptcha', 'h-captcha', 'cf-turnstile'].find((name) => input.page.classes.has(name));
  return widget ?? findId(input, ['recaptcha']);
}

/** Searches JSON for `inWaitingRoom` with the given value, at the top level or inside a waiting room's object. */
function findInWaitingRoom(json: unknown, value: boolean): string | null {
  const levels: Array<{ of: unknown; path: string }> = [{ of: json, path: '' }];
  // A list that grows while it is read: `shift` of a long list copies the rest.
  for (const level of levels) {
    if (typeof level.of !== 'object' || level.of === null || Array.isArray(level.of)) continue;
    for (const [key, inner] of Object.entries(level.of)) {
      if (key === 'inWaitingRoom' && inner === value) return `${level.path}inWaitingRoom: ${value}`;
      if (level.path.length < 60 && /waiting_?room|^(?:data|result|response|body)$/i.test(key)) {
        levels.push({ of: inner, path: `${level.path}${key}.` });
      }
    }
  }
  return null;
}

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  answer,
  answerJson,
  CALLER_GONE,
  createApp,
  dropConnection,
  pause,
  redirect,
  type Exchange,
} from '../http/app';
import { createRecentList, epochNow, type Changes, type Service } from '../service';
import * as pages from './room-pages';
import { delayOf, type ShopMode, type ShopOrder, type ShopStep } from './shop-mode';
import { SHOP_HOME, shopPage } from './shop-pages';

/** A visit to one of the shop's pages. Times are epoch milliseconds with a fraction. */
export interface ShopRequest {
  receivedAt: number;
  /** null while there is no response, and for ever if the connection is closed. */
  answeredAt: number | null;
  path: string;
  mode: ShopMode;
  userAgent: string | null;
  headers: Record<string, string | string[] | undefined>;
}

export interface ShopState {
  /** The step for the next request. */
  next: ShopStep;
  /** The mode of the last request; null before the first. */
  lastShown: ShopMode | null;
  /** Remaining steps of a script, the next one included. */
  stepsLeft: number;
  requestCount: number;
}

const MAX_REQUESTS = 50;
const QUEUE_PATH = '/queue/';
const QUEUE_CUSTOMER = 'tanglewood';
const QUEUE_EVENT = 'release-day';
const compress = promisify(gzip);

/** Tanglewood Cards: a shop whose pages a test or the panel chooses. */
export function createShop(changes: Changes) {
  let steps: ShopStep[] = [{ mode: 'open' }];
  let lastShown: ShopMode | null = null;
  let shownSinceOrder: ShopMode | null = null;
  let requestCount = 0;
  const requests = createRecentList<ShopRequest>(MAX_REQUESTS);

  const upcoming = (): ShopStep => steps[0] ?? { mode: 'open' };

  function takeStep(): ShopStep {
    const taken = upcoming();
    if (steps.length > 1) steps = steps.slice(1);
    return taken;
  }

  /** Whether visitors of a waiting room in these modes still wait: until the shop is set to or shows another mode. */
  const inRoom = (...modes: ShopMode[]) => modes.includes(shownSinceOrder ?? upcoming().mode);

  async function visit(exchange: Exchange): Promise<Response> {
    const { arrivedAt, url } = exchange.var;
    const { headers } = exchange.env.incoming;
    const step = takeStep();
    const record: ShopRequest = {
      receivedAt: arrivedAt,
      answeredAt: null,
      path: url.pathname + url.search,
      mode: step.mode,
      userAgent: headers['user-agent'] ?? null,
      headers,
    };
    requests.add(record);
    requestCount += 1;
    lastShown = shownSinceOrder = step.mode;
    changes.mark();

    if (!(await pause(exchange, delayOf(step)))) return CALLER_GONE;
    const prepared = await prepare(exchange, step);
    if (!prepared) return dropConnection(exchange);
    record.answeredAt = epochNow();
    changes.mark();
    return send(prepared);
  }

  function reset(): void {
    steps = [{ mode: 'open' }];
    lastShown = shownSinceOrder = null;
    requestCount = 0;
    requests.clear();
    changes.mark();
  }

  const state = (): ShopState => ({ next: upcoming(), lastShown, stepsLeft: steps.length, requestCount });

  function showQueue({ var: { url } }: Exchange): Response {
    if (!inRoom('queueit-room'))
      return redirect(302, `${SHOP_HOME}?queueittoken=e_${QUEUE_EVENT}~q_sandbox~rt_queue`);
    const { searchParams } = url;
    return send(
      pages.queueItPage(searchParams.get('c') ?? QUEUE_CUSTOMER, searchParams.get('e') ?? QUEUE_EVENT),
    );
  }

  function showImpervaResource({ var: { url } }: Exchange): Response {
    const { searchParams } = url;
    if (searchParams.has('SWJIYLWA'))
      return answer(200, { 'content-type': 'application/javascript' }, '/* sensor */');
    if (searchParams.has('SWWRGTS')) {
      const waiting = inRoom('imperva-room', 'imperva-page');
      return answerJson(
        200,
        waiting
          ? { pending: 1, rld: 0, ttw: '00:12:00', pos: 1_204 }
          : { pending: 0, rld: 1, ttw: '00:00:00', pos: 0 },
      );
    }
    return send(searchParams.has('wrid') ? pages.impervaRoomPage() : pages.impervaBlock());
  }

  const app = createApp();
  app.get('/shop', () => redirect(302, SHOP_HOME));
  app.get(`${SHOP_HOME}/*`, visit);
  app.get(QUEUE_PATH, showQueue);
  app.get('/_Incapsula_Resource', showImpervaResource);

  const service: Service = {
    name: 'shop',
    app,
    state,
    reset,
  };

  return {
    service,
    state,
    /** Shows one mode from now on, or plays a script: one mode per request; the last one stays. */
    set(order: ShopOrder): void {
      steps =
        'script' in order
          ? order.script.map((step) => (typeof step === 'string' ? { mode: step } : step))
          : [order];
      shownSinceOrder = null;
      changes.mark();
    },
    /** The last fifty visits, oldest first, without those of the queue's own pages. */
    requests: (): ShopRequest[] => requests.list(),
  };
}

export type Shop = ReturnType<typeof createShop>;

/** The response for a step, or null if the connection must be reset. */
async function prepare(exchange: Exchange, step: ShopStep): Promise<pages.ShopAnswer | null> {
  if (step.mode === 'reset') return null;
  return packed(exchange, ANSWERS[step.mode](exchange, step));
}

const ANSWERS: Record<
  Exclude<ShopMode, 'reset'>,
  (exchange: Exchange, step: ShopStep) => pages.ShopAnswer
> = {
  open: shopItself,
  slow: shopItself,
  'imperva-room': pages.impervaRoomFrame,
  'imperva-page': pages.impervaRoomPage,
  'queueit-room': () => {
    const query = new URLSearchParams({ c: QUEUE_CUSTOMER, e: QUEUE_EVENT, t: SHOP_HOME, cid: 'en-GB' });
    return {
      status: 302,
      headers: { location: `${QUEUE_PATH}?${query}`, 'cache-control': 'no-store' },
      body: '',
    };
  },
  'cloudflare-room': (exchange) => pages.cloudflareRoomPage(new Date(exchange.var.arrivedAt)),
  'cloudflare-json': (exchange) => pages.cloudflareRoomJson(new Date(exchange.var.arrivedAt)),
  'words-room': pages.wordsRoomPage,
  'bot-wall': pages.impervaBlock,
  'cloudflare-challenge': pages.cloudflareChallenge,
  'akamai-denied': pages.akamaiDenied,
  error: pages.brokenShop,
  empty: () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '' }),
};

function shopItself({ var: { url } }: Exchange, { large = false }: ShopStep): pages.ShopAnswer {
  const { status, html } = shopPage(url.pathname.slice(SHOP_HOME.length + 1), large);
  return {
    status,
    headers: { ...pages.impervaHeaders(), 'content-type': 'text/html; charset=utf-8' },
    body: html,
  };
}

/** Compresses a response if the client accepts gzip, as shops do, so that a client that does not decode it fails here as well. */
async function packed({ req }: Exchange, plain: pages.ShopAnswer): Promise<pages.ShopAnswer> {
  const headers = { ...plain.headers, vary: 'accept-encoding' };
  const readsGzip = /\bgzip\b/.test(req.header('accept-encoding') ?? '');
  if (!readsGzip || plain.body.length === 0) return { ...plain, headers };
  return {
    status: plain.status,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: await compress(plain.body),
  };
}

function send({ status, headers, body }: pages.ShopAnswer): Response {
  return answer(status, headers, body);
}

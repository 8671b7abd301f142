import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  respond,
  respondJson,
  CALLER_GONE,
  createApp,
  dropConnection,
  pause,
  redirect,
  type RequestContext,
} from '../http/app';
import { createRecentList, epochNow, type Changes, type Service } from '../service';
import { createProductShop } from './products/product-shop';
import * as pages from './room-pages';
import { delayOf, type ShopMode, type ShopScript, type ShopSetting, type ShopStep } from './shop-mode';
import { SHOP_HOME, shopPage } from './shop-pages';

/** A visit to one of the shop's pages. Times are epoch milliseconds with a fraction. */
export interface ShopRequest {
  receivedAt: number;
  /** null while there is no response; stays null if the connection is closed. */
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

/**
 * Tanglewood Cards: a shop whose pages a test or the panel chooses.
 * @param origin a function, because the port is known only once the server listens
 */
export function createShop(changes: Changes, origin: () => string) {
  let steps: ShopStep[] = [{ mode: 'open' }];
  let lastShown: ShopMode | null = null;
  let shownSinceSet: ShopMode | null = null;
  let requestCount = 0;
  const requests = createRecentList<ShopRequest>(MAX_REQUESTS);

  const upcoming = (): ShopStep => steps[0] ?? { mode: 'open' };

  function takeStep(): ShopStep {
    const taken = upcoming();
    if (steps.length > 1) steps = steps.slice(1);
    return taken;
  }

  /** Whether visitors of a waiting room in these modes still wait: until the shop changes its mode. */
  const inRoom = (...modes: ShopMode[]) => modes.includes(shownSinceSet ?? upcoming().mode);

  async function visit(context: RequestContext): Promise<Response> {
    const { arrivedAt, url } = context.var;
    const { headers } = context.env.incoming;
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
    lastShown = shownSinceSet = step.mode;
    changes.mark();

    if (!(await pause(context, delayOf(step)))) return CALLER_GONE;
    const prepared = await prepare(context, step);
    if (!prepared) return dropConnection(context);
    record.answeredAt = epochNow();
    changes.mark();
    return send(prepared);
  }

  function set(setting: ShopSetting): void {
    const script = 'script' in setting ? setting.script : [setting];
    steps = script.map((step) => (typeof step === 'string' ? { mode: step } : step));
    shownSinceSet = null;
    changes.mark();
  }

  const products = createProductShop(changes, origin, {
    shopMode: () => shownSinceSet ?? upcoming().mode,
    answerOf: (context, mode) => prepare(context, { mode }),
    packed,
  });

  function reset(): void {
    products.reset();
    steps = [{ mode: 'open' }];
    lastShown = shownSinceSet = null;
    requestCount = 0;
    requests.clear();
    changes.mark();
  }

  const state = (): ShopState => ({ next: upcoming(), lastShown, stepsLeft: steps.length, requestCount });

  function showQueue({ var: { url } }: RequestContext): Response {
    if (!inRoom('queueit-room'))
      return redirect(302, `${SHOP_HOME}?queueittoken=e_${QUEUE_EVENT}~q_sandbox~rt_queue`);
    const { searchParams } = url;
    return send(
      pages.queueItPage(searchParams.get('c') ?? QUEUE_CUSTOMER, searchParams.get('e') ?? QUEUE_EVENT),
    );
  }

  function showImpervaResource({ var: { url } }: RequestContext): Response {
    const { searchParams } = url;
    if (searchParams.has('SWJIYLWA'))
      return respond(200, { 'content-type': 'application/javascript' }, '/* sensor */');
    if (searchParams.has('SWWRGTS')) {
      const waiting = inRoom('imperva-room', 'imperva-page');
      return respondJson(
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
  app.route('/', products.routes);

  const service: Service = {
    name: 'shop',
    app,
    state,
    reset,
  };

  return {
    service,
    /** The products of the shop, each with its own page. */
    products,
    state,
    set,
    /** Shows one mode from now on. */
    show: (mode: ShopMode, options: Omit<ShopStep, 'mode'> = {}) => set({ mode, ...options }),
    /** Shows one mode per request; the last one stays. */
    play: (script: ShopScript['script']) => set({ script }),
    /** The last fifty visits, oldest first, without those of the queue's own pages. */
    requests: (): ShopRequest[] => requests.list(),
  };
}

/** The response for a step, or null if the connection must be reset. */
async function prepare(context: RequestContext, step: ShopStep): Promise<pages.ShopResponse | null> {
  if (step.mode === 'reset') return null;
  const response = RESPONSES[step.mode](context, step);
  if (step.retryAfter !== undefined)
    response.headers = { ...response.headers, 'retry-after': step.retryAfter };
  return packed(context, response);
}

const RESPONSES: Record<
  Exclude<ShopMode, 'reset'>,
  (context: RequestContext, step: ShopStep) => pages.ShopResponse
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
  'cloudflare-room': (context) => pages.cloudflareRoomPage(new Date(context.var.arrivedAt)),
  'cloudflare-json': (context) => pages.cloudflareRoomJson(new Date(context.var.arrivedAt)),
  'words-room': pages.wordsRoomPage,
  'bot-wall': pages.impervaBlock,
  'cloudflare-challenge': pages.cloudflareChallenge,
  'akamai-denied': pages.akamaiDenied,
  error: pages.brokenShop,
  empty: () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '' }),
};

function shopItself({ var: { url } }: RequestContext, { large = false }: ShopStep): pages.ShopResponse {
  const { status, html } = shopPage(url.pathname.slice(SHOP_HOME.length + 1), large);
  return {
    status,
    headers: { ...pages.impervaHeaders(), 'content-type': 'text/html; charset=utf-8' },
    body: html,
  };
}

/** Compresses a response if the client accepts gzip, as shops do, so that a client that does not decode it fails here as well. */
async function packed({ req }: RequestContext, plain: pages.ShopResponse): Promise<pages.ShopResponse> {
  const headers = { ...plain.headers, vary: 'accept-encoding' };
  const readsGzip = /\bgzip\b/.test(req.header('accept-encoding') ?? '');
  if (!readsGzip || plain.body.length === 0) return { ...plain, headers };
  return {
    status: plain.status,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: await compress(plain.body),
  };
}

function send({ status, headers, body }: pages.ShopResponse): Response {
  return respond(status, headers, body);
}

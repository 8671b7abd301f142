import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import {
  CALLER_GONE,
  createApp,
  dropConnection,
  hang,
  pause,
  respond,
  type App,
  type RequestContext,
  type ResponseHeaders,
} from '../../http/app';
import { drawAvatar } from '../../discord/draw-avatar';
import { closeServer, createHttpServer, listen } from '../../http/server';
import type { Changes } from '../../service';
import { PRODUCTS } from '../catalogue';
import type { ShopResponse } from '../room-pages';
import type { ShopMode } from '../shop-mode';
import { noProductPage, productPage, shopifyJson, storeApiJson, type ShownProduct } from './product-pages';
import {
  STOCK_STATE_NAMES,
  type ProductChange,
  type RobotsSetting,
  type SoldProduct,
  type StockState,
} from './product-setting';
import { createRequestCounter, type RequestRates } from './request-counter';

/** Another shop: the same products at another origin, with its own robots.txt and count of requests. */
export interface ShopHost extends RequestRates {
  name: string;
  origin: string;
  robots: RobotsSetting;
}

/** The host of the sandbox itself. */
const MAIN_HOST = 'tanglewood';
const MAX_HOSTS = 50;
const MAX_PRODUCTS = 2_000;
const NO_ROBOTS: RobotsSetting = { status: 404, text: '', delayMs: 0 };

interface HostRecord {
  robots: RobotsSetting;
  counter: ReturnType<typeof createRequestCounter>;
  origin: () => string;
  server: Server | null;
}

/** What the product pages need from the shop around them. */
interface Surroundings {
  /** What the shop shows in place of its pages. */
  shopMode(): ShopMode;
  /** The response of a mode that is not the shop itself; null if the connection must be reset. */
  answerOf(context: RequestContext, mode: ShopMode): Promise<ShopResponse | null>;
  /** Compresses a response for a client that accepts it. */
  packed(context: RequestContext, response: ShopResponse): Promise<ShopResponse>;
}

/** The products of Tanglewood Cards, each with an address, a state and faults that a test or the panel chooses. */
export function createProductShop(changes: Changes, origin: () => string, surroundings: Surroundings) {
  let products = initialProducts();
  const shownCounts = new Map<string, number>();
  const hosts = new Map<string, HostRecord>();
  const newHost = (hostOrigin: () => string, server: Server | null): HostRecord => ({
    robots: NO_ROBOTS,
    counter: createRequestCounter(),
    origin: hostOrigin,
    server,
  });
  hosts.set(MAIN_HOST, newHost(origin, null));
  const requireHost = (name: string): HostRecord => {
    const host = hosts.get(name);
    if (!host) throw new Error(`no host is called ${name}`);
    return host;
  };

  function put(slug: string, change: ProductChange): SoldProduct {
    const before = products.get(slug);
    if (!before && products.size >= MAX_PRODUCTS)
      throw new Error(`there are ${MAX_PRODUCTS} products already`);
    const product = { ...(before ?? newProduct(slug)), ...change, slug, changedAt: Date.now() };
    products.set(slug, product);
    changes.mark();
    return product;
  }

  /** The product with the state of this request. */
  function shown(product: SoldProduct): ShownProduct {
    const count = shownCounts.get(product.slug) ?? 0;
    shownCounts.set(product.slug, count + 1);
    const isAway =
      product.flaps !== null &&
      (product.flaps === 'request' ? count : Math.floor(Date.now() / product.flaps)) % 2 === 1;
    return { ...product, shownState: isAway ? 'out' : product.state };
  }

  /** Counts a request of a host while `respondTo` runs. */
  async function counted(hostName: string, context: RequestContext, respondTo: () => Promise<Response>) {
    const { counter } = requireHost(hostName);
    counter.begin(context.var.arrivedAt);
    context.env.outgoing.once('close', () => counter.end());
    changes.mark();
    return respondTo();
  }

  async function showRobots(hostName: string, context: RequestContext): Promise<Response> {
    const { robots } = requireHost(hostName);
    if (!(await pause(context, robots.delayMs))) return CALLER_GONE;
    return respond(robots.status, { 'content-type': 'text/plain; charset=utf-8' }, robots.text);
  }

  async function show(
    hostName: string,
    context: RequestContext,
    slug: string,
    form: 'page' | 'shopify' | 'woo',
  ): Promise<Response> {
    const product = products.get(slug);
    const page = (status: number, title: string): ShopResponse => ({
      status,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: noProductPage(title),
    });
    const finish = async (response: ShopResponse) => {
      const { status, headers, body } = await surroundings.packed(context, response);
      return respond(status, headers, body);
    };
    if (!product || (form !== 'page' && product.platform !== form))
      return finish(page(404, 'Page not found'));
    const mode = product.mode ?? (hostName === MAIN_HOST ? surroundings.shopMode() : 'open');
    if (!(await pause(context, product.delayMs))) return CALLER_GONE;
    if (mode === 'hang') return hang();
    const again: ResponseHeaders = product.retryAfter === null ? {} : { 'retry-after': product.retryAfter };
    if (mode === 'missing') return finish(page(404, 'Page not found'));
    if (mode === 'gone') return finish(page(410, 'This product is no longer sold'));
    if (mode !== 'open' && mode !== 'slow') {
      const response = await surroundings.answerOf(context, mode);
      if (!response) return dropConnection(context);
      return respond(response.status, { ...response.headers, ...again }, response.body);
    }
    const url = `${requireHost(hostName).origin()}/products/${slug}`;
    const now = shown(product);
    const isJson = form !== 'page';
    const body = isJson
      ? JSON.stringify(form === 'shopify' ? shopifyJson(now) : storeApiJson(now, url))
      : productPage(now, { url, variantParameter: context.var.url.searchParams.get('variant') });
    const headers: ResponseHeaders = {
      'content-type': isJson ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      ...again,
      ...(product.validators && {
        etag: `W/"${createHash('sha1').update(body).digest('hex')}"`,
        'last-modified': new Date(product.changedAt).toUTCString(),
      }),
    };
    if (product.validators && context.req.header('if-none-match') === headers.etag)
      return respond(304, headers);
    return finish({ status: 200, headers, body });
  }

  /** The image of a product: a square in two colours that follow from its name. */
  async function showImage(slug: string): Promise<Response> {
    const image = products.get(slug)?.image ?? 'missing';
    if (image === 'hang') return hang();
    if (image === 'missing' || image === 'page')
      return respond(
        image === 'page' ? 200 : 404,
        { 'content-type': 'text/html' },
        noProductPage('No image'),
      );
    const hash = createHash('sha1').update(slug).digest('hex');
    return respond(200, { 'content-type': 'image/png' }, drawAvatar(hash, image === 'pixel' ? 1 : 600));
  }

  function createRoutes(hostName: string): App {
    const app = createApp();
    app.get('/robots.txt', (context) => counted(hostName, context, () => showRobots(hostName, context)));
    const showCounted = (context: RequestContext, slug: string, form: 'page' | 'shopify' | 'woo') =>
      counted(hostName, context, () => show(hostName, context, slug, form));
    app.get('/products/:slug', (context) => {
      const name = context.req.param('slug') ?? '';
      return name.endsWith('.js')
        ? showCounted(context, name.slice(0, -3), 'shopify')
        : showCounted(context, name, 'page');
    });
    app.get('/images/:name', (context) =>
      counted(hostName, context, () => showImage(context.req.param('name').replace(/\.png$/, ''))),
    );
    app.get('/wp-json/wc/store/v1/products', (context) =>
      showCounted(context, context.var.url.searchParams.get('slug') ?? '', 'woo'),
    );
    return app;
  }

  /** Adds a host at a free port, or finds it, and sets its robots.txt. */
  async function putHost(name: string, setting: { robots?: RobotsSetting } = {}): Promise<ShopHost> {
    if (!hosts.has(name)) {
      if (hosts.size >= MAX_HOSTS) throw new Error(`there are ${MAX_HOSTS} hosts already`);
      const server = createHttpServer([createRoutes(name)]);
      let port = 0;
      hosts.set(
        name,
        newHost(() => `http://127.0.0.1:${port}`, server),
      );
      port = await listen(server, 0);
    }
    if (setting.robots) requireHost(name).robots = setting.robots;
    changes.mark();
    return hostState(name);
  }

  function hostState(name: string): ShopHost {
    const { robots, counter, origin: originOf } = requireHost(name);
    return { name, origin: originOf(), robots, ...counter.rates() };
  }

  return {
    routes: createRoutes(MAIN_HOST),
    /** Adds a product or changes the given fields of one. Throws beyond 2,000 products. */
    put,
    remove(slug: string): boolean {
      changes.mark();
      return products.delete(slug);
    },
    find: (slug: string): SoldProduct | undefined => products.get(slug),
    list: (): SoldProduct[] => [...products.values()],
    /** The address of a product at a host. */
    url: (slug: string, hostName: string = MAIN_HOST) => `${requireHost(hostName).origin()}/products/${slug}`,
    putHost,
    hosts: (): ShopHost[] => [...hosts.keys()].map(hostState),
    reset(): void {
      products = initialProducts();
      shownCounts.clear();
      for (const host of hosts.values()) {
        host.robots = NO_ROBOTS;
        host.counter.reset();
      }
      changes.mark();
    },
    async close(): Promise<void> {
      await Promise.all([...hosts.values()].flatMap(({ server }) => (server ? [closeServer(server)] : [])));
    },
  };
}

export type ProductShop = ReturnType<typeof createProductShop>;

function newProduct(slug: string): SoldProduct {
  const words = slug.replaceAll('-', ' ');
  return {
    slug,
    changedAt: Date.now(),
    name: words.charAt(0).toUpperCase() + words.slice(1),
    brand: 'Hollow Press',
    gtin: null,
    pence: 4_999,
    currency: 'GBP',
    wasPence: null,
    state: 'in_stock',
    variants: [],
    lies: {},
    flaps: null,
    platform: 'plain',
    mode: null,
    delayMs: 0,
    retryAfter: null,
    image: null,
    kilobytes: 0,
    validators: true,
  };
}

/** The products of the catalogue that are not in stock at first. */
const CATALOGUE_STATES: Readonly<Record<string, { state: StockState }>> = {
  'ember-hollow-collector-chest': { state: 'out' },
  'winter-lantern-tin': { state: 'preorder' },
};

/** The catalogue, and one product for each state. */
function initialProducts(): Map<string, SoldProduct> {
  const catalogue = PRODUCTS.map(({ slug, name, pence }) => ({
    ...newProduct(slug),
    name,
    pence,
    ...CATALOGUE_STATES[slug],
    image: 'square' as const,
  }));
  const states = STOCK_STATE_NAMES.map((state) => ({ ...newProduct(state.replaceAll('_', '-')), state }));
  return new Map([...catalogue, ...states].map((product) => [product.slug, product]));
}

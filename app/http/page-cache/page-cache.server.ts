import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/node';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodingFor } from '../server/accepted-encoding.server';
import type { ServerContext } from '../server/context.server';
import {
  finishPage,
  sizeOf,
  type FinishedPage,
  type RenderedPage,
  compressBody,
} from './finished-page.server';
import { cacheKey, findPublicPage, type PublicPage } from './cache-key.server';
import { matchesEtag } from '../server/etag.server';

/** A smaller response fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_024;

/** Sends a cached page, or 304 when the client already has it. */
function sendPage(request: IncomingMessage, response: ServerResponse, page: FinishedPage): void {
  response.setHeader('Content-Security-Policy', page.policy);
  // Browsers may cache it, and must revalidate it.
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('ETag', page.etag);
  response.setHeader('Vary', 'Cookie, Accept-Encoding');
  if (matchesEtag(request.headers['if-none-match'], page.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const encoding = encodingFor(request.headers['accept-encoding']);
  const body = page.bodies[encoding];
  response.setHeader('Content-Type', page.contentType);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.byteLength);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends a response that is not cached, compressed: a page for one visitor, a redirect, an error page, or JSON of the API. */
export async function sendBuffered(
  request: IncomingMessage,
  response: ServerResponse,
  { response: rendered, html }: RenderedPage,
): Promise<void> {
  const plain = html === undefined ? Buffer.from(await rendered.arrayBuffer()) : Buffer.from(html);
  const encoding =
    plain.byteLength < MIN_COMPRESSED_BYTES ? 'identity' : encodingFor(request.headers['accept-encoding']);
  const body = await compressBody(plain, encoding, { quick: true });
  response.statusCode = rendered.status;
  for (const [name, value] of rendered.headers) response.appendHeader(name, value);
  response.appendHeader('Vary', 'Accept-Encoding');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.byteLength);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/*
 * A request handler for each public page, over its route alone. Remix finds the route of a path by trying every route of its
 * build, several times per request, and compiles each pattern again (@remix-run/router 1.23, `matchRoutes`); it also creates
 * the route objects of the whole build for each page. Measured on 22 November 2026, with shortened rounds of
 * `npm run bench -- pages` and one handler for all public pages: uncached pages 41 % faster (article 957 instead of 672
 * requests per second, beside 1941 of the minimal page).
 */
/** The build with only one route and its parents. Throws for an unknown id. */
function publicBuild(build: ServerBuild, routeId: string): ServerBuild {
  if (build.routes[routeId] === undefined) throw new Error(`the build has no route ${routeId}`);
  const kept = new Set<string>();
  for (let id: string | undefined = routeId; id !== undefined; id = build.routes[id]?.parentId) kept.add(id);
  const pick = <Entry>(routes: Record<string, Entry>): Record<string, Entry> =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => kept.has(id)));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}

/** Some hundred pages; the least recently used are evicted. */
const MAX_BYTES = 24 * 1024 * 1024;

/** Loads the current build. In development each change produces a new one. */
export type LoadBuild = () => Promise<ServerBuild>;

interface Visit {
  request: IncomingMessage;
  page: PublicPage;
  /** The rendered page, if it must not be cached. */
  uncached?: RenderedPage;
}

/** Serves a public page. Returns false if Remix must handle the request. */
type ServePublicPage = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * The page cache: finished public pages of this process, keyed by content version, so that all processes agree.
 * Concurrent requests for a page that is not in the cache render it once. Public pages that must not be cached, such as
 * those of signed-in users, are rendered here as well.
 */
export function createPageCache(
  { pageVersions, log, config }: Pick<ServerContext, 'pageVersions' | 'log' | 'config'>,
  { publicPages, loadBuild }: { publicPages: readonly PublicPage[]; loadBuild: LoadBuild },
): ServePublicPage {
  let build: ServerBuild | null = null;
  let handlers: ReadonlyMap<PublicPage, RequestHandler> = new Map();

  async function render(request: IncomingMessage, page: PublicPage): Promise<RenderedPage> {
    const handle = handlers.get(page);
    if (handle === undefined) throw new Error(`no handler for ${page.route}`);
    let html: string | undefined;
    const response = await handle(asFetchRequest(request, config.appUrl), {
      takeHtml: (rendered) => (html = rendered),
    });
    return { response, html };
  }

  const pages = new LRUCache<string, FinishedPage, Visit>({
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
    // A page that is evicted during its render still serves the requests that wait for it.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { context: visit }) {
      const rendered = await render(visit.request, visit.page);
      const page = await finishPage(rendered);
      if (page === undefined) visit.uncached = rendered;
      return page;
    },
  });

  async function adoptCurrentBuild(): Promise<void> {
    const current = await loadBuild();
    if (current === build) return;
    build = current;
    handlers = new Map(
      publicPages.map((page) => [
        page,
        createRequestHandler(publicBuild(current, page.route), import.meta.env.MODE),
      ]),
    );
    pages.clear();
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    page: PublicPage,
  ): Promise<boolean> {
    await adoptCurrentBuild();
    const visitor = { target: request.url ?? '/', cookieHeader: request.headers.cookie };
    const key = await cacheKey(pageVersions, page, visitor);
    if (key === null) {
      await sendBuffered(request, response, await render(request, page));
      return true;
    }
    const visit: Visit = { request, page };
    const finished = await pages.fetch(key, { ttl: page.freshMs, context: visit });
    if (finished !== undefined) sendPage(request, response, finished);
    else if (visit.uncached !== undefined) await sendBuffered(request, response, visit.uncached);
    // The request waited for a render that must not be cached, so Remix renders this one separately.
    else return false;
    return true;
  }

  return async (request, response) => {
    const page = findPublicPage(publicPages, request);
    if (page === null) return false;
    try {
      return await serve(request, response, page);
    } catch (error) {
      log.warn({ err: error }, 'the page cache failed; Remix renders the page');
      return false;
    }
  };
}

/**
 * A page is always rendered as for GET: a HEAD has the headers of a GET (RFC 9110, section 9.3.2). It is rendered in
 * full: 304 is decided when it is sent.
 */
function asFetchRequest({ url = '/', headers }: IncomingMessage, appUrl: string): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === 'if-none-match'
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Request(new URL(url, appUrl), { headers: pairs });
}

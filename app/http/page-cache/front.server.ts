import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ServerBuild } from '@remix-run/node';
import { findConsent, noteBrokenConsent } from '../cookies/consent-cookie.server';
import { createPageRenderer } from './page-renderer.server';
import {
  cacheKey,
  findPublicPage,
  PUBLIC_ROUTES,
  variantOf,
  type PublicPage,
} from './public-requests.server';
import { RENDER_TICKET_HEADER } from './render-cache.server';
import type { RenderedPage } from './rendered-page.server';
import { sendRendered, sendResponse } from './send-rendered.server';
import { REQUEST_ID_HEADER } from '../server/request-id.server';
import type { ServerContext } from '../server/context.server';
import { serveUpload } from '../server/serve-upload.server';

/** Answers a request, or says false: somebody else shall. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** Answers what is on disk, and the public pages: out of the cache, else by Remix. `loadBuild`: see `createPageRenderer`. */
export function createFront(
  { db, renders, log, config }: ServerContext,
  loadBuild: () => Promise<ServerBuild>,
): Answer {
  const render = createPageRenderer(loadBuild, PUBLIC_ROUTES);

  /** The page, if the cache has it or somebody renders it now; else the ticket with which we announced that we do. */
  async function lookUp(
    { url = '/', headers }: IncomingMessage,
    page: PublicPage,
  ): Promise<{ rendered: RenderedPage } | { ticket: string | null }> {
    const variant = await variantOf(page, url, headers.cookie);
    if (variant === null) return { ticket: null };
    const key = await cacheKey(db, page, variant);
    const rendered = renders.find(key) ?? (await renders.awaitRender(key));
    if (rendered != null) return { rendered };
    // Whoever waited for nothing renders for himself, without making others wait.
    return { ticket: rendered === undefined ? renders.open(key, page.freshMs) : null };
  }

  async function answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    page: PublicPage,
  ): Promise<boolean> {
    let ticket: string | null = null;
    try {
      const found = await lookUp(request, page);
      if ('rendered' in found) {
        // Else the page's own loader says so.
        if (findConsent(request.headers.cookie).broken)
          noteBrokenConsent(log, String(request.headers[REQUEST_ID_HEADER]));
        sendRendered(request, response, found.rendered);
        return true;
      }
      ticket = found.ticket;
    } catch (error) {
      // The page itself will fail for the same reason, and say so better.
      log.warn({ err: error }, 'the render cache is of no use');
    }
    if (ticket === null) return renderNow(request, response);
    request.headers[RENDER_TICKET_HEADER] = ticket;
    try {
      return await renderNow(request, response);
    } finally {
      // A redirect, or a refusal, takes no ticket; and what happens to the connection says nothing about the rendering.
      renders.recall(ticket);
    }
  }

  async function renderNow(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', config.appUrl);
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    );
    try {
      // A HEAD has a GET's headers, whose values come with the page (RFC 9110, section 9.3.2).
      const rendered = await render(new Request(url, { headers }));
      await sendResponse(request, response, rendered);
      return true;
    } catch (error) {
      log.error({ err: error, path: url.pathname }, 'a public page was not rendered in front');
      if (!response.headersSent) return false;
      response.destroy();
      return true;
    }
  }

  return (request, response) => {
    delete request.headers[RENDER_TICKET_HEADER];
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    if (serveUpload(request, response, config)) return true;
    const page = findPublicPage(request.url ?? '/');
    return page === null ? false : answerPage(request, response, page);
  };
}

const fronted = new WeakSet<Server>();

/**
 * Puts an answer before those of `server`'s listeners, once; it alone decides what they get to see. Must run before the
 * server's `request` event, such as on Node's `http.server.request.start`.
 */
export function standBefore(server: Server, answer: Answer): void {
  if (fronted.has(server)) return;
  fronted.add(server);
  const behind = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  const passOn = (request: IncomingMessage, response: ServerResponse) => {
    for (const listener of behind) listener.call(server, request, response);
  };
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answered = answer(request, response);
    if (answered === false) passOn(request, response);
    else if (answered !== true) void answered.then((done) => (done ? undefined : passOn(request, response)));
  });
}

import {
  readableStreamToString,
  type EntryContext,
  type HandleErrorFunction,
  type LoaderFunctionArgs,
} from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { randomBytes } from 'node:crypto';
import { renderToString } from 'react-dom/server';
import { SECOND } from '#shared/clock';
import { PageRenderProvider, type PageRender } from '~/components/page-render';
import { asPageHandle } from '~/http/page-handle';
import { answerStatus, notePageFault } from '~/http/page-fault.server';
import { RENDER_TICKET_HEADER, type Rendering } from '~/http/page-cache/render-cache.server';
import { describePage, prepare, withoutNonce } from '~/http/page-cache/rendered-page.server';
import { renderedHeaders } from '~/http/page-cache/send-rendered.server';
import { requestIdOf } from '~/http/server/request-id.server';
import { NO_DOCUMENT_POLICY, pagePolicy } from '~/http/server/security-headers.server';
import { serverContext } from '~/http/server/context.server';
import { cookieToken } from '~/http/cookies/session-cookie.server';
import { serveUploadsInDevelopment, startServing } from '~/http/server/serving.server';

// The dev server has an HTTP server, a log and signals of its own.
if (import.meta.env.PROD) startServing(() => import('virtual:remix/server-build'));
else serveUploadsInDevelopment();

/** How long a page's data may take once its loaders have answered; Remix reads it as `streamTimeout`. */
export const streamTimeout = 5 * SECOND;

/** Signing in with Discord is a form, and leads there. */
function formTargets(): string[] {
  const { oauth } = serverContext().config.discord;
  return oauth === null ? [] : [new URL(oauth.authorizeUrl).origin];
}

/** The page's policy. `scripts`: what admits its inline scripts. */
function policyOf(context: EntryContext, scripts: readonly string[]): string {
  const images = context.staticHandlerContext.matches.flatMap(
    ({ route }) => asPageHandle(route.handle).imageSources ?? [],
  );
  return pagePolicy({ scripts, development: import.meta.env.DEV, formTargets: formTargets(), images });
}

/**
 * Renders a page, as one text: no page of ours has anything that arrives later than the rest, and a page that breaks
 * while it is rendered is then told from one that does not. What anybody may be sent goes into the render cache.
 */
export default async function handleDocumentRequest(
  request: Request,
  routesStatus: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const status = answerStatus(request, routesStatus, headers);
  const rendering = serverContext().renders.take(request.headers.get(RENDER_TICKET_HEADER) ?? '');
  try {
    const nonce = randomBytes(16).toString('base64');
    const rendered = await renderWhole(context, request.url, { nonce, requestId: requestIdOf(request) });
    // What sets a cookie, or is no success, is meant for one visitor.
    if (rendering !== null && status === 200 && !headers.has('Set-Cookie'))
      return answerForAll(rendered, nonce, headers, context, rendering);
    rendering?.giveUp();
    headers.set('Content-Type', 'text/html; charset=utf-8');
    headers.set('Content-Security-Policy', policyOf(context, [`'nonce-${nonce}'`]));
    // Pages of somebody who is signed in are kept nowhere: the next at this browser might step back to them.
    const isTheirs = cookieToken(request.headers.get('Cookie')) !== null;
    if (!headers.has('Cache-Control'))
      headers.set('Cache-Control', isTheirs ? 'no-store' : 'private, no-cache');
    return new Response(Buffer.from(rendered), { status, headers });
  } catch (error) {
    rendering?.giveUp();
    throw error;
  }
}

/** The answer that anybody may be sent, without the nonce of this one. Hands it to the cache. */
function answerForAll(
  rendered: string,
  nonce: string,
  headers: Headers,
  context: EntryContext,
  rendering: Rendering,
): Response {
  const { html, scriptSources } = withoutNonce(rendered, nonce);
  const page = describePage(html, policyOf(context, scriptSources));
  for (const [name, value] of renderedHeaders(page)) headers.set(name, value);
  // Whoever asked does not wait for the compression.
  void prepare(html, page).then(rendering.fill, rendering.giveUp);
  return new Response(Buffer.from(html), { status: 200, headers });
}

/**
 * The page as one text: the document, and at its end the data that starts it in the browser, which `RemixServer` would
 * send in pieces (@remix-run/react 2.17, single-fetch.js, `StreamTransfer`). No data of ours comes later than the rest,
 * so React neither waits nor is asked twice.
 */
async function renderWhole(
  { serverHandoffStream, ...context }: EntryContext,
  url: string,
  render: PageRender & { nonce: string },
): Promise<string> {
  const document = renderToString(
    <PageRenderProvider value={render}>
      <RemixServer context={context} url={url} nonce={render.nonce} />
    </PageRenderProvider>,
  );
  // An error page starts nothing.
  const data =
    serverHandoffStream !== undefined && context.renderMeta?.didRenderScripts === true
      ? handOver(await readableStreamToString(serverHandoffStream), render.nonce)
      : '';
  return `<!DOCTYPE html>${atTheEnd(document, data)}`;
}

const END = '</body></html>';

/** The document with a script as its last: behind its end, where `RemixServer` has it, no document may go on. */
function atTheEnd(document: string, script: string): string {
  return document.endsWith(END) ? document.slice(0, -END.length) + script + END : document + script;
}

/** The script that gives a page's data to Remix in the browser. */
function handOver(data: string, nonce: string): string {
  // Within a script's text nothing but `<` can end it (html.spec.whatwg.org, section 4.12.1.3).
  const literal = JSON.stringify(data).replaceAll('<', '\\u003c');
  const stream = 'window.__remixContext.streamController';
  return `<script nonce="${nonce}">${stream}.enqueue(${literal});${stream}.close();</script>`;
}

/** Data for pages that are already in the browser. */
export function handleDataRequest(response: Response, { request }: LoaderFunctionArgs): Response {
  const { headers } = response;
  const status = answerStatus(request, response.status, headers);
  headers.set('Content-Security-Policy', NO_DOCUMENT_POLICY);
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  return status === response.status ? response : new Response(response.body, { status, headers });
}

/** Whatever a loader, an action or a rendering threw that was no answer. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error))
    serverContext().log.warn({ requestId: requestIdOf(request), status: error.status }, error.statusText);
  else notePageFault(request, error, { message: 'a page failed' });
};

import type { EntryContext, HandleErrorFunction } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { SECOND } from '#shared/clock';
import { PageRenderProvider } from '~/components/page-render';
import { asPageHandle } from '~/http/page-handle';
import { RENDER_TICKET_HEADER, type Rendering } from '~/http/render-cache/render-cache.server';
import { describePage, prepare, withoutNonce } from '~/http/render-cache/rendered-page.server';
import { renderedHeaders } from '~/http/render-cache/send-rendered.server';
import { requestIdOf } from '~/http/request-id.server';
import { NO_DOCUMENT_POLICY, pagePolicy } from '~/http/security-headers.server';
import { serverContext } from '~/http/server-context.server';
import { cookieToken } from '~/http/session-cookie.server';
import { serveUploadsInDevelopment, startServing } from '~/http/serving.server';

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
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const rendering = serverContext().renders.take(request.headers.get(RENDER_TICKET_HEADER) ?? '');
  try {
    const nonce = randomBytes(16).toString('base64');
    const rendered = await renderWhole(
      <PageRenderProvider value={{ nonce, requestId: requestIdOf(request) }}>
        <RemixServer context={context} url={request.url} nonce={nonce} />
      </PageRenderProvider>,
      nonce,
    );
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
    return new Response(rendered, { status, headers });
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
  return new Response(html, { status: 200, headers });
}

function renderWhole(element: ReactElement, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let failure: { reason: unknown } | null = null;
    const chunks: Buffer[] = [];
    const whole = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        clearTimeout(timer);
        if (failure === null) resolve(Buffer.concat(chunks).toString());
        else reject(failure.reason);
        done();
      },
    });
    const { pipe, abort } = renderToPipeableStream(element, {
      nonce,
      onAllReady: () => pipe(whole),
      onShellError(error) {
        clearTimeout(timer);
        reject(error);
      },
      onError(error: unknown) {
        failure ??= { reason: error };
      },
    });
    // After `streamTimeout` the data is cut off; React then gets a second to say so.
    const timer = setTimeout(abort, streamTimeout + SECOND).unref();
  });
}

/** Data for pages that are already in the browser. */
export function handleDataRequest(response: Response): Response {
  response.headers.set('Content-Security-Policy', NO_DOCUMENT_POLICY);
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store');
  return response;
}

/** Whatever a loader, an action or a rendering threw that was no answer. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  const { log } = serverContext();
  const requestId = requestIdOf(request);
  if (isRouteErrorResponse(error)) log.warn({ requestId, status: error.status }, error.statusText);
  else log.error({ requestId, err: error }, 'a page failed');
};

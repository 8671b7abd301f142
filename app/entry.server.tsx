import {
  createReadableStreamFromReadable,
  type EntryContext,
  type HandleErrorFunction,
} from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { isbot } from 'isbot';
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { SECOND } from '#shared/clock';
import { PageRenderProvider } from '~/components/page-render';
import { requestIdOf } from '~/http/request-id.server';
import { NO_DOCUMENT_POLICY, pagePolicy } from '~/http/security-headers.server';
import { serverContext } from '~/http/server-context.server';
import { startServing } from '~/http/serving.server';

// The dev server has an HTTP server, a log and signals of its own.
if (import.meta.env.PROD) startServing();

/** How long a page may keep streaming; Remix reads it as `streamTimeout`. */
export const streamTimeout = 5 * SECOND;

/** Signing in with Discord is a form, and leads there. */
function formTargets(): string[] {
  const { oauth } = serverContext().config.discord;
  return oauth === null ? [] : [new URL(oauth.authorizeUrl).origin];
}

/** Renders a page: streamed to people, whole to crawlers. */
export default function handleDocumentRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const nonce = randomBytes(16).toString('base64');
  const requestId = requestIdOf(request);
  const readyEvent = isbot(request.headers.get('user-agent')) ? 'onAllReady' : 'onShellReady';

  return new Promise((resolve, reject) => {
    let shellSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <PageRenderProvider value={{ nonce, requestId }}>
        <RemixServer context={context} url={request.url} nonce={nonce} />
      </PageRenderProvider>,
      {
        nonce,
        [readyEvent]() {
          shellSent = true;
          const body = new PassThrough();
          headers.set('Content-Type', 'text/html; charset=utf-8');
          const policy = pagePolicy({ nonce, development: import.meta.env.DEV, formTargets: formTargets() });
          headers.set('Content-Security-Policy', policy);
          if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-cache');
          resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
          pipe(body);
        },
        onShellError: reject,
        onError(error: unknown) {
          // Before the shell is sent, the promise's rejection reports it.
          if (shellSent) serverContext().log.error({ requestId, err: error }, 'streaming a page failed');
        },
      },
    );
    // After `streamTimeout` the data is cut off; React then gets a second to say so in the page.
    setTimeout(abort, streamTimeout + SECOND).unref();
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

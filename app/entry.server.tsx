import {
  type AppLoadContext,
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
  readableStreamToString,
} from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { randomBytes } from 'node:crypto';
import { SECOND } from '#shared/clock';
import { cookieToken } from '~/http/cookies/session-cookie.server';
import { responseStatus, logPageError } from '~/http/server/failures.server';
import { asPageHandle } from '~/components/site/page-handle';
import { serverContext } from '~/http/server/context.server';
import { currentRequestId } from '~/http/server/request-context.server';
import {
  NO_DOCUMENT_POLICY,
  pagePolicy,
  permissionsPolicy,
  stripePages,
  stripeSources,
} from '~/http/server/security-headers.server';
import { startDaemonWatchdog } from './daemon-watchdog.server';
import { startScriptOf } from './start-script.server';
import { startServer } from '~/http/pipeline/start-server.server';
import { PUBLIC_PAGES } from '~/routes/public-pages.server';
import { endRolesOfUnlistedAdmins } from './unlisted-admins.server';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { ReactElement } from 'react';
import { PageRenderProvider, type PageRender } from '~/components/site/page-render';

/*
 * Renders a page and the data that it starts with in the browser, instead of Remix's documented way
 * (`renderToPipeableStream` with `<RemixServer>`, which encodes the page to bytes in many small chunks and renders its data
 * in further passes). Measured on 22 November 2026, with shortened rounds of `npm run bench -- pages`: uncached pages 32 to
 * 36 % faster (article 957 instead of 706 requests per second, beside 1941 of the minimal page).
 *
 * It depends on what `<RemixServer>` does with `serverHandoffStream` (@remix-run/react 2.17, dist/single-fetch.js,
 * `StreamTransfer`), which is private to Remix.
 */

const keptHtml = new WeakMap<object, string>();

function keepHtml(of: object, element: ReactElement): string {
  const html = keptHtml.get(of) ?? renderToStaticMarkup(element);
  keptHtml.set(of, html);
  return html;
}

/** Returns the complete HTML of a page. None of our pages defers data or suspends, so nothing arrives later. */
async function renderHtml(
  { serverHandoffStream, ...context }: EntryContext,
  url: string,
  render: PageRender & { nonce: string },
): Promise<string> {
  const startScript =
    serverHandoffStream && startScriptOf(context, await readableStreamToString(serverHandoffStream));
  const html = renderToString(
    <PageRenderProvider value={{ ...render, startScript, keepHtml }}>
      <RemixServer context={context} url={url} nonce={render.nonce} />
    </PageRenderProvider>,
  );
  return `<!DOCTYPE html>${html}`;
}

// This is our only module that remix-serve imports, and the only import that starts anything. In development Vite
// runs the server (vite.config.ts).
if (import.meta.env.PROD)
  await startServer({
    loadBuild: () => import('virtual:remix/server-build'),
    publicPages: PUBLIC_PAGES,
    startWatchdog: startDaemonWatchdog,
    afterStart: endRolesOfUnlistedAdmins,
  });

/** Remix's limit for deferred data, of which we have none: it keeps each response's data in memory until then. */
export const streamTimeout = SECOND / 10;

/** Returns the page's policies: what it may load, and what it may ask of the browser. */
function policiesOf(context: EntryContext, nonce: string): Record<string, string> {
  const { discord, stripe } = serverContext().config;
  const { matches, loaderData } = context.staticHandlerContext;
  const pages = matches.map(({ route }) => ({ handle: asPageHandle(route.handle), id: route.id }));
  const paysWithStripe = pages.some(({ handle }) => handle.paysWithStripe === true);
  const loadsStripe = pages.some(({ handle, id }) => handle.loadsStripe?.(loaderData[id]) === true);
  const loaded = loadsStripe ? stripe : null;
  const content = pagePolicy({
    scripts: [`'nonce-${nonce}'`],
    development: import.meta.env.DEV,
    formTargets: [
      // The Discord sign-in form redirects there.
      ...(discord.oauth === null ? [] : [new URL(discord.oauth.authorizeUrl).origin]),
      ...(stripe === null || !paysWithStripe ? [] : stripePages(stripe)),
    ],
    images: pages.flatMap(({ handle }) => handle.imageSources ?? []),
    stripe: loaded === null ? null : stripeSources(loaded),
  });
  return {
    'Content-Security-Policy': content,
    ...(loaded !== null && { 'Permissions-Policy': permissionsPolicy(loaded) }),
  };
}

/** Renders the complete page before it answers, so that a page that fails gets an error status. */
export default async function handleDocumentRequest(
  request: Request,
  routesStatus: number,
  headers: Headers,
  context: EntryContext,
  { takeHtml, documentHtml = {} }: AppLoadContext,
): Promise<Response> {
  const status = responseStatus(routesStatus, headers);
  const nonce = randomBytes(16).toString('base64');
  const html = await renderHtml(context, request.url, { nonce, documentHtml, requestId: currentRequestId() });
  headers.set('Content-Type', 'text/html; charset=utf-8');
  for (const [name, policy] of Object.entries(policiesOf(context, nonce))) headers.set(name, policy);
  // The pages of a signed-in user are not cached: the next user of this browser could navigate back to them.
  const isSignedIn = cookieToken(request.headers.get('Cookie')) !== null;
  if (!headers.has('Cache-Control'))
    headers.set('Cache-Control', isSignedIn ? 'no-store' : 'private, no-cache');
  takeHtml?.(html);
  return new Response(takeHtml === undefined ? html : null, { status, headers });
}

/** How long a browser may use what it requested when a link was hovered or touched. */
const PREFETCHED_SECONDS = 5;

/** Whether the answer is for a link that may be followed, and the same for all signed-out visitors with these cookies. */
function isPublicPrefetch({ headers }: Request, response: Response): boolean {
  return (
    headers.get('Sec-Purpose') === 'prefetch' &&
    response.status === 200 &&
    !response.headers.has('Set-Cookie') &&
    cookieToken(headers.get('Cookie')) === null
  );
}

/** Completes the headers of a data response (client-side navigation and fetchers). */
export const handleDataRequest: HandleDataRequestFunction = (response, { request }) => {
  const { headers } = response;
  const status = responseStatus(response.status, headers);
  headers.set('Content-Security-Policy', NO_DOCUMENT_POLICY);
  if (isPublicPrefetch(request, response)) {
    headers.set('Cache-Control', `private, max-age=${PREFETCHED_SECONDS}`);
    headers.append('Vary', 'Cookie');
  }
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  return status === response.status ? response : new Response(response.body, { status, headers });
};

/** Logs an error that a loader, an action or the rendering threw. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  if (isRouteErrorResponse(error)) serverContext().log.warn({ status: error.status }, error.statusText);
  else logPageError(error, { message: 'a page failed' });
};

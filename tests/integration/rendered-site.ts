import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import * as entry from '~/entry.server';
import * as root from '~/root';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { runInRequest } from '~/http/server/request-context.server';
import remixConfig from '../../remix.config.js';
import { freshAddress, SITE } from './api/api-fixture';

/** A page as a browser without scripts gets it. */
export interface RenderedPage {
  status: number;
  /** Where a redirect leads, without our origin; null for none. */
  leadsTo: string | null;
  /** Scripts open it as a new document. */
  asDocument: boolean;
  policy: string;
  /** Its Permissions-Policy; empty where the default of every response applies. */
  permissions: string;
  html: string;
  /** The cookies that it sets, as a request sends them; empty for none. */
  cookies: string;
  /** The text of its main part: tags and the spaces around them are one space. */
  text: string;
}

/** The text of a page's main part; see `RenderedPage`. */
export function textOf(html: string): string {
  const [main = ''] = /<main\b[\s\S]*<\/main>/.exec(html) ?? [];
  return main
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,])/g, '');
}

type RouteModule = ServerBuild['routes'][string]['module'];

/**
 * A build of Remix with the root and these pages. `pages`: a path and its route module. `layout`: the module of the route around
 * them, which has the main part of the admins' pages.
 */
export function buildOf(pages: Readonly<Record<string, object>>, layout: object | null = null): ServerBuild {
  const routes: ServerBuild['routes'] = { root: { id: 'root', path: '', module: root as RouteModule } };
  if (layout !== null) routes.layout = { id: 'layout', parentId: 'root', module: layout as RouteModule };
  const parentId = layout === null ? 'root' : 'layout';
  for (const [path, module] of Object.entries(pages))
    routes[path] = { id: path, parentId, path: path.slice(1), module: module as RouteModule };
  return {
    entry: { module: entry },
    routes,
    assets: {
      entry: { module: '/entry.js', imports: [] },
      routes: Object.fromEntries(
        Object.values(routes).map(({ id, parentId, path, module }) => [
          id,
          {
            id,
            parentId,
            path,
            module: `/${id}.js`,
            imports: [],
            css: [],
            hasAction: module.action !== undefined,
            hasLoader: module.loader !== undefined,
            hasClientAction: false,
            hasClientLoader: false,
            hasErrorBoundary: false,
          },
        ]),
      ),
      url: '/manifest.js',
      version: '1',
    },
    publicPath: '/',
    assetsBuildDirectory: 'build/client',
    future: remixConfig.future ?? {},
    isSpaMode: false,
    mode: 'test',
  } as unknown as ServerBuild;
}

/** Renders pages with Remix itself: root, page, loader, action and headers. `pages`, `layout`: see `buildOf`. */
export function createRenderedSite(
  pages: Readonly<Record<string, object>>,
  { layout = null }: { layout?: object | null } = {},
) {
  const handle = createRequestHandler(buildOf(pages, layout), 'test');

  async function ask(
    path: string,
    token: string,
    { headers, ...init }: { headers?: Record<string, string> } & RequestInit = {},
  ): Promise<RenderedPage> {
    const cookies = [`${SESSION_COOKIE}=${token}`, headers?.Cookie ?? ''].filter((text) => text !== '');
    const all = { ...headers, Cookie: cookies.join('; ') };
    const request = new Request(SITE + path, { ...init, headers: all });
    const response = await runInRequest({ method: request.method, clientAddress: freshAddress() }, () =>
      handle(request),
    );
    const html = await response.text();
    return {
      status: response.status,
      leadsTo: response.headers.get('Location')?.replace(SITE, '') ?? null,
      asDocument: response.headers.has('X-Remix-Reload-Document'),
      policy: response.headers.get('Content-Security-Policy') ?? '',
      permissions: response.headers.get('Permissions-Policy') ?? '',
      cookies: response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';', 1)[0])
        .join('; '),
      html,
      text: textOf(html),
    };
  }

  return {
    get: (path: string, token: string, headers: Record<string, string> = {}) => ask(path, token, { headers }),
    post: (path: string, token: string, fields: Record<string, string>) =>
      ask(path, token, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { 'Sec-Fetch-Mode': 'navigate' },
      }),
  };
}

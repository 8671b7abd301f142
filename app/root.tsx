import displayFont from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import textFont from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url';
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import type { ReactNode } from 'react';
import { PRODUCT_NAME } from '#shared/brand';
import { serverContext } from '~/http/server-context.server';
import { readTheme } from '~/http/theme-cookie.server';
import stylesheet from './app.css?url';
import { ErrorPage } from './components/error-page';
import { usePageRender } from './components/page-render';
import { useTheme } from './components/theme/theme-switch';

export const links: LinksFunction = () => [
  { rel: 'preload', href: displayFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'preload', href: textFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: stylesheet },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
];

/** Of pages that have none of their own: error pages. */
export const meta: MetaFunction = () => [
  { title: `This page did not load · ${PRODUCT_NAME}` },
  { name: 'robots', content: 'noindex' },
];

/** What every page knows. */
export async function loader({ request }: LoaderFunctionArgs) {
  return { theme: await readTheme(request), appUrl: serverContext().config.appUrl };
}

export function Layout({ children }: { children: ReactNode }) {
  const { nonce } = usePageRender();
  // Absent when this loader itself failed.
  const data = useRouteLoaderData<typeof loader>('root');
  const theme = useTheme(data?.theme ?? 'system');
  // Null, not undefined, while nothing failed.
  const failed = Boolean(useRouteError());
  return (
    <html lang="en-GB" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {/* A page that failed on the server stays as it was sent: it alone knows the request's id. */}
        {failed ? null : (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}

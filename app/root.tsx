import displayFont from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import textFont from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url';
import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import {
  Links,
  Meta,
  Outlet,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
} from '@remix-run/react';
import type { ReactNode } from 'react';
import type { Account } from '#shared/accounts/account';
import { PRODUCT_NAME } from '#shared/brand';
import { readConsent } from '~/http/cookies/consent-cookie.server';
import { newsIsOn } from '~/routes/site/site-state.server';
import { takeFlash } from '~/http/forms/flash.server';
import { serverContext } from '~/http/server/context.server';
import { asPageHandle } from '~/components/site/page-handle';
import { findPublicViewer } from '~/http/auth/session.server';
import { readTheme } from '~/http/cookies/theme-cookie.server';
import stylesheet from './app.css?url';
import { useLocalSessionCheck } from './components/account/local-session';
import { ConsentArea } from './components/consent/consent-area';
import { DownloadArea } from './components/downloads/download-area';
import { MissingScriptsNotice } from '~/components/lazy/missing-scripts';
import { ErrorPage } from '~/components/page/error-page';
import { usePageRender } from './components/site/page-render';
import { useSiteFacts, type SignedIn, type SiteFacts } from './components/site/site-facts';
import { SmallFooter } from '~/components/page/site-footer';
import { Part } from './components/ui/part';
import { SkipLink } from './components/site/site-nav';
import { useTheme } from './components/theme/chosen-theme';
import { RouteAnnouncer } from '~/components/site/route-announcer';
import { LoadingIndicator } from '~/components/page/waiting';
import { revalidateUnlessOffline } from './components/forms/offline';
import { reloadShownPage } from './components/forms/reload-data';
import { usePageShown } from './components/forms/use-leaving';

/** For pages without their own `meta`: the error pages. */
export const meta: MetaFunction = () => [
  { title: `This page did not load · ${PRODUCT_NAME}` },
  { name: 'robots', content: 'noindex' },
];

function betaOf(account: Account): SignedIn['beta'] {
  if (account.beta_approved_at !== null) return 'approved';
  return account.beta_requested_at === null ? 'none' : 'requested';
}

/** Reads the data that every page uses (`useSiteFacts`). */
export async function loader({ request }: LoaderFunctionArgs) {
  const [theme, viewer, newsEnabled, flash] = await Promise.all([
    readTheme(request),
    findPublicViewer(request),
    newsIsOn(),
    takeFlash(request),
  ]);
  const facts: SiteFacts = {
    theme,
    appUrl: serverContext().config.appUrl,
    signedIn:
      viewer === null
        ? null
        : {
            id: viewer.account.id,
            name: viewer.account.username,
            avatarUrl: viewer.account.discord_picture,
            admin: viewer.account.role === 'admin',
            beta: betaOf(viewer.account),
          },
    newsEnabled,
    consent: readConsent(request),
    flash: flash?.result ?? null,
  };
  return data(facts, { headers: flash?.headers });
}

/** `ScrollRestoration` throws where the browser denies session storage (@remix-run/react, scroll-restoration.js). */
const SESSION_STORAGE_FALLBACK =
  "try{sessionStorage.length}catch{Object.defineProperty(window,'sessionStorage',{value:{getItem:()=>null,setItem(){},removeItem(){}}})}";

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, startScript } = usePageRender();
  const theme = useTheme(useSiteFacts().theme);
  // Without an error this is null, not undefined.
  const failed = Boolean(useRouteError());
  return (
    <html lang="en-GB" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        <link rel="stylesheet" href={stylesheet} />
        <link rel="preload" href={displayFont} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="preload" href={textFont} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <Links />
      </head>
      <body>
        {children}
        {/* A page that failed on the server is not hydrated: only its HTML contains the request's id. */}
        {failed ? null : (
          <>
            <script
              nonce={nonce}
              suppressHydrationWarning
              dangerouslySetInnerHTML={{ __html: SESSION_STORAGE_FALLBACK }}
            />
            <ScrollRestoration nonce={nonce} />
            {/* The last element of the body, where React accepts one that the browser does not render. */}
            {startScript === undefined ? null : (
              <script nonce={nonce} dangerouslySetInnerHTML={{ __html: startScript }} />
            )}
          </>
        )}
      </body>
    </html>
  );
}

export const shouldRevalidate = revalidateUnlessOffline;

export default function App() {
  const isInterstitial = useMatches().some(({ handle }) => asPageHandle(handle).interstitial === true);
  return isInterstitial ? <Outlet /> : <Page />;
}

function Page() {
  const { consent, signedIn } = useSiteFacts();
  const { pathname } = useLocation();
  useLocalSessionCheck(signedIn?.id ?? null);
  // The back/forward cache may hold a page of another session.
  usePageShown((persisted) => {
    if (persisted && navigator.onLine) reloadShownPage();
  });
  const hasOwnFooter = useMatches().some(({ handle }) => asPageHandle(handle).footer === 'own');
  return (
    <LoadingIndicator>
      <SkipLink />
      <MissingScriptsNotice />
      <ConsentArea consent={consent}>
        <div className="flex-1">
          <Part place={pathname}>
            <Outlet />
          </Part>
        </div>
        {hasOwnFooter ? null : <SmallFooter />}
        <DownloadArea />
        <RouteAnnouncer />
      </ConsentArea>
    </LoadingIndicator>
  );
}

export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}

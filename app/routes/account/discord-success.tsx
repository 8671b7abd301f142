import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData, type ClientLoaderFunctionArgs } from '@remix-run/react';
import { SECOND } from '#shared/clock';
import { findViewer as findViewerByToken } from '#shared/accounts/sessions';
import { storeLocalSession, type LocalSession } from '~/components/account/local-session';
import { InterstitialPage, useLeaveAfter } from '~/components/account/interstitial-page';
import { usePageRender } from '~/components/site/page-render';
import { unindexed } from '~/components/site/page-title';
import { Notice } from '~/components/ui/notice';
import { nextPathOf } from '#shared/site/paths';
import { interstitialHeaders } from '~/routes/account/interstitial-headers.server';
import { serverContext } from '~/http/server/context.server';
import { findViewer } from '~/http/auth/session.server';

const WITH_TOKEN_MS = SECOND;
const WITHOUT_TOKEN_MS = 1.5 * SECOND;
const FAILED_MS = 1.5 * SECOND;

/** Removes the token from the address bar before any network request. */
const CLEAN_ADDRESS = "history.replaceState(history.state, '', location.pathname)";

type Arrival =
  | { kind: 'token'; session: LocalSession; next: string | null }
  | { kind: 'no_token'; signedIn: boolean }
  | { kind: 'failed' };

/** A token is valid only if it belongs to the account of the cookie, so that no link can sign a user in. */
async function readArrival(request: Request): Promise<Arrival> {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get('token');
  if (!token) return { kind: 'no_token', signedIn: (await findViewer(request)) !== null };
  const { db, clock } = serverContext();
  const [viewer, owner] = await Promise.all([findViewer(request), findViewerByToken(db, { token, clock })]);
  if (viewer === null || owner === null || owner.account.id !== viewer.account.id) return { kind: 'failed' };
  const { id, email } = owner.account;
  return { kind: 'token', session: { token, user: { id, email } }, next: nextPathOf(searchParams) };
}

/** The target of the interstitial and its delay. */
function leaving(arrival: Arrival): { path: string; delayMs: number } {
  switch (arrival.kind) {
    case 'failed':
      return { path: '/', delayMs: FAILED_MS };
    case 'token':
      return { path: arrival.next ?? '/dashboard', delayMs: WITH_TOKEN_MS };
    case 'no_token':
      return { path: '/dashboard', delayMs: WITHOUT_TOKEN_MS };
  }
}

export async function loader({ request }: LoaderFunctionArgs) {
  const arrival = await readArrival(request);
  const { path, delayMs } = leaving(arrival);
  return data(arrival, { headers: interstitialHeaders(path, delayMs) });
}

/** In the browser: also stores the session in local storage. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<Arrival> {
  const arrival = await serverLoader<typeof loader>();
  if (arrival.kind === 'token') storeLocalSession(arrival.session);
  return arrival;
}

clientLoader.hydrate = true as const;

/** Read by the root route. */
export const handle = { interstitial: true };

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction = () => unindexed('Signing in');

export default function DiscordSuccess() {
  const arrival = useLoaderData<typeof loader>();
  const { nonce } = usePageRender();
  const { path, delayMs } = leaving(arrival);

  useLeaveAfter(path, delayMs);

  return (
    <>
      <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: CLEAN_ADDRESS }} />
      <Outcome arrival={arrival} path={path} />
    </>
  );
}

/** Shows the outcome. This address can also be opened without a sign-in. */
function Outcome({ arrival, path }: { arrival: Arrival; path: string }) {
  if (arrival.kind === 'failed')
    return (
      <InterstitialPage title="You are not signed in" next={{ href: '/', name: 'Go to home page' }}>
        <Notice kind="error">Failed to refresh authentication</Notice>
        <p className="text-soft">Taking you to the home page. You can sign in from there.</p>
      </InterstitialPage>
    );
  if (arrival.kind === 'no_token' && !arrival.signedIn)
    return (
      <InterstitialPage title="You are not signed in" next={{ href: '/', name: 'Go to home page' }}>
        <p className="text-soft">
          No sign-in was completed here. Taking you to the home page. You can sign in from there.
        </p>
      </InterstitialPage>
    );
  const toDashboard = path === '/dashboard';
  return (
    <InterstitialPage
      title="You are signed in"
      next={{ href: path, name: toDashboard ? 'Go to dashboard' : 'Go to your page' }}
    >
      {arrival.kind === 'token' ? <Notice kind="success">Signed in with Discord.</Notice> : null}
      <p className="text-soft">
        {toDashboard ? 'Taking you to your dashboard.' : 'Taking you to the page that you opened.'}
      </p>
    </InterstitialPage>
  );
}

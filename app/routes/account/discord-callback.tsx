import {
  data,
  redirect,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { SECOND } from '#shared/clock';
import { explainDiscordError, NO_SIGN_IN_RETURNED } from '~/components/account/discord-refusal';
import { InterstitialPage, useLeaveAfter } from '~/components/account/interstitial-page';
import { withNext } from '#shared/site/paths';
import { SignInAgain } from '~/components/account/sign-in-again';
import { unindexed } from '~/components/site/page-title';
import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { nextOfDiscordReturn } from '~/http/auth/discord-login.server';
import { interstitialHeaders } from '~/routes/account/interstitial-headers.server';

const HOME_AFTER_MS = 3 * SECOND;
/** Longer texts are truncated: anyone can put any text into the address. */
const ERROR_LENGTH = 120;

function describeFailure(search: URLSearchParams): string {
  if (search.get('status') === 'error') return 'Failed to authenticate with Discord';
  const error = search.get('error');
  return error === null || error === ''
    ? 'Invalid authentication state'
    : `Discord authentication failed: ${error.slice(0, ERROR_LENGTH)}`;
}

/** Discord redirects here. Forwards a `code` to the API callback, or shows what went wrong. */
export async function loader({ request }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  if (search.get('status') === 'success') return redirect('/dashboard');
  const code = search.get('code');
  if (search.get('status') !== 'error' && !search.get('error') && code) {
    const state = search.get('state');
    const answer = new URLSearchParams(state === null ? { code } : { code, state });
    return redirect(`/api/auth/discord/callback?${answer}`);
  }
  const failure = describeFailure(search);
  const error = search.get('error');
  const isInvalid = search.get('status') !== 'error' && !error;
  const help = isInvalid ? NO_SIGN_IN_RETURNED : explainDiscordError(error);
  const next = await nextOfDiscordReturn(request);
  return data({ failure, help, next }, { headers: interstitialHeaders('/', HOME_AFTER_MS) });
}

/** Read by the root route. */
export const handle = { interstitial: true };

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction = () => unindexed('Signing in');

export default function DiscordCallback() {
  const { failure, help, next } = useLoaderData<typeof loader>();
  useLeaveAfter('/', HOME_AFTER_MS);
  return (
    <InterstitialPage title="You are not signed in" next={{ href: '/', name: 'Go to home page' }}>
      <Notice kind="error">{failure}</Notice>
      <p>{help}</p>
      <p className="text-soft">Taking you to the home page.</p>
      <SignInAgain next={next} />
      <p>
        <Link to={withNext('/login', next)} className={LINK_BUTTON_CLASS}>
          Use email and password
        </Link>
      </p>
    </InterstitialPage>
  );
}

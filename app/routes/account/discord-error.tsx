import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { SECOND } from '#shared/clock';
import { explainDiscordError } from '~/components/account/discord-refusal';
import { InterstitialPage, useLeaveAfter } from '~/components/account/interstitial-page';
import { nextPathOf } from '#shared/site/paths';
import { SignInAgain } from '~/components/account/sign-in-again';
import { unindexed } from '~/components/site/page-title';
import { Notice } from '~/components/ui/notice';
import { interstitialHeaders } from '~/routes/account/interstitial-headers.server';
import { counted } from '#shared/format';

const HOME_AFTER_MS = 3 * SECOND;

/** The likely causes, as the specification lists them. */
const CAUSES = [
  {
    reason: 'email_unverified',
    text: 'Your Discord email is not verified. Verify it in Discord’s settings, then try again.',
  },
  {
    reason: 'access_denied',
    text: 'The authorization was denied, or the window was closed too early.',
  },
  {
    reason: 'server_error',
    text: 'The server had an error, or the sign-in took too long. Trying again often helps.',
  },
] as const;

/** All reasons that have a text. Only `CAUSES` are listed when the address names no reason. */
const REASONS: Record<string, string> = {
  ...Object.fromEntries(CAUSES.map(({ reason, text }) => [reason, text])),
  invalid_state:
    'This sign-in was started in another browser, was used before, or took too long. Start again.',
  not_configured:
    'Sign-in with Discord is not set up on this server. You can use email and password instead.',
  mail_unavailable: 'We cannot send email right now. Please try again later.',
  rate_limited: 'Too many attempts. Please wait a few minutes and try again.',
  account_disabled:
    'This account is disabled, so it cannot sign in and gets no alerts. If you think this is a mistake, please write to us.',
  account_closing: 'This account will be deleted. To keep it, use the link in the email about its deletion.',
};

/** Reasons that another try does not change. */
const FINAL_REASONS = ['not_configured', 'account_disabled', 'account_closing'];

/** Why no code was sent, and when the next one can be. `minutes`: as the address says, null for none. */
function tooSoonText(minutes: string | null): string {
  const wait = /^[1-9]\d?$/.test(minutes ?? '') ? Number(minutes) : null;
  const when = wait === null ? 'later' : `in ${counted(wait, 'minute')}`;
  return `No code was sent, because your email address has had several within the last hour. The next one can be sent ${when}.`;
}

/** The reason that the sign-in put into the address. */
export function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const reason = searchParams.get('reason');
  const text = reason === 'code_too_soon' ? tooSoonText(searchParams.get('minutes')) : null;
  return data(
    { reason, text, next: nextPathOf(searchParams) },
    { headers: interstitialHeaders('/', HOME_AFTER_MS) },
  );
}

/** Read by the root route. */
export const handle = { interstitial: true };

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction = () => unindexed('Authentication failed');

export default function DiscordError() {
  const { reason, text, next } = useLoaderData<typeof loader>();
  useLeaveAfter('/', HOME_AFTER_MS);
  const known = text ?? (reason !== null && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined);
  return (
    <InterstitialPage title="Authentication Failed" next={{ href: '/', name: 'Go to home page' }}>
      {known === undefined ? (
        <>
          <p>Likely causes:</p>
          <ul className="grid list-disc gap-2 pl-5 text-soft">
            {CAUSES.map(({ reason: id, text }) => (
              <li key={id}>{text}</li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <Notice kind="error">{known}</Notice>
          {reason === 'access_denied' ? <p>{explainDiscordError(reason)}</p> : null}
        </>
      )}
      {reason !== null && FINAL_REASONS.includes(reason) ? null : <SignInAgain next={next} />}
      <p className="text-soft">Taking you to the home page.</p>
    </InterstitialPage>
  );
}

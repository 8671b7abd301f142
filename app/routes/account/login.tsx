import type { SubmissionResult } from '@conform-to/react';
import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import {
  Link,
  redirectDocument,
  useActionData,
  useLoaderData,
  type ClientActionFunctionArgs,
} from '@remix-run/react';
import { z } from 'zod';
import { emailField, passwordField } from '#shared/accounts/account-fields';
import { PRODUCT_NAME } from '#shared/brand';
import { AccountCard } from '~/components/account/account-card';
import { DiscordSignIn } from '~/components/account/discord-sign-in';
import { ForgottenPassword } from '~/components/account/forgotten-password';
import { storeLocalSession, type LocalSession } from '~/components/account/local-session';
import { withNext } from '~/components/account/next-path';
import { PasswordDisclosure } from '~/components/account/password-disclosure';
import { PasswordForm } from '~/components/account/password-form';
import { useSignInPath } from '~/components/account/use-sign-in-path';
import { VerifyForm, type VerifyOutcome } from '~/components/account/verify-form';
import { LOST_FORM } from '~/components/forms/lost-form';
import { revalidateUnlessLost } from '~/components/forms/revalidate-unless-lost';
import { answerUnlessLost } from '~/components/forms/stay-when-lost';
import { PageNav } from '~/components/page-nav';
import { LINK_BUTTON_CLASS } from '~/components/ui/button-look';
import { refuseForm } from '~/http/forms/form-refusal.server';
import { readPending } from '~/http/auth/pending-login.server';
import { parsePageForm, readPageForm, unknownIntent } from '~/http/forms/page-form.server';
import { serverContext } from '~/http/server/context.server';
import { findViewer } from '~/http/auth/session.server';
import { loginBrowser, nextOfRequest } from '~/http/auth/login.server';
import { enterCode, sendAnotherCode, signedInAnswer } from '~/routes/account/login-forms.server';

const loginForm = z.object({ email: emailField, password: passwordField });

export async function loader({ request }: LoaderFunctionArgs) {
  if ((await findViewer(request)) !== null) return redirect(nextOfRequest(request) ?? '/dashboard');
  const verifying = new URL(request.url).searchParams.get('step') === 'verify';
  const pending = verifying ? await readPending(request) : null;
  return {
    verifying,
    email: pending?.email ?? null,
    next: pending?.next ?? null,
    discordReady: serverContext().config.discord.oauth !== null,
  };
}

async function logIn(request: Request, form: URLSearchParams) {
  const submission = parsePageForm(form, loginForm);
  if (submission.status !== 'success') return submission.reply({ hideFields: ['password'] });
  try {
    const outcome = await loginBrowser(request, submission.value);
    if (outcome.is === 'verify')
      return redirect('/login?step=verify', { status: 303, headers: outcome.headers });
    return await signedInAnswer(request, form, outcome);
  } catch (error) {
    return refuseForm(submission, error, ['password']);
  }
}

/** The forms of both steps, told apart by their button. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readPageForm(request);
  switch (form.get('intent')) {
    case 'login':
      return logIn(request, form);
    case 'verify':
      return enterCode(request, form);
    case 'resend':
      return sendAnotherCode(request);
    default:
      throw unknownIntent();
  }
}

/** With scripts the new session is kept in local storage as well, and the page is loaded afresh. */
export async function clientAction(args: ClientActionFunctionArgs) {
  const answer = await answerUnlessLost<unknown>(args, lostAnswer);
  if (!isSignedIn(answer)) return answer;
  storeLocalSession(answer.localSession);
  return redirectDocument(answer.path);
}

function lostAnswer(intent: string): VerifyOutcome | SubmissionResult {
  if (intent === 'verify') return { intent, ok: false, message: 'An error occurred' };
  if (intent === 'resend') return { intent, ok: false, message: 'Failed to resend verification code' };
  return LOST_FORM;
}

export const shouldRevalidate = revalidateUnlessLost;

function isSignedIn(answer: unknown): answer is { localSession: LocalSession; path: string } {
  return typeof answer === 'object' && answer !== null && 'localSession' in answer;
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.verifying === true ? 'Verify Email' : 'Log in'} · ${PRODUCT_NAME}` },
  { name: 'robots', content: 'noindex' },
];

export default function Login() {
  const { verifying, email, next, discordReady } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const refused = answer === undefined || 'localSession' in answer ? undefined : answer;
  return (
    <>
      <PageNav />
      {verifying ? (
        <AccountCard title="Verify Your Email">
          <VerifyForm
            email={email}
            backTo={withNext('/login', next)}
            sent={refused !== undefined && 'message' in refused ? refused : undefined}
          />
        </AccountCard>
      ) : (
        <LoginCard
          discordReady={discordReady}
          lastResult={refused === undefined || 'message' in refused ? undefined : refused}
        />
      )}
    </>
  );
}

function LoginCard({
  discordReady,
  lastResult,
}: {
  discordReady: boolean;
  lastResult: Parameters<typeof PasswordForm>[0]['lastResult'];
}) {
  const signInPath = useSignInPath();
  return (
    <AccountCard title="Welcome Back">
      <p className="text-soft">Sign in to access your account</p>
      <DiscordSignIn ready={discordReady} />
      <PasswordDisclosure open={lastResult !== undefined || !discordReady}>
        <PasswordForm kind="login" lastResult={lastResult} />
      </PasswordDisclosure>
      <ForgottenPassword discordReady={discordReady} />
      <p className="text-small text-soft">
        New here?{' '}
        <Link to={signInPath('/signup')} className={LINK_BUTTON_CLASS}>
          Sign up
        </Link>
      </p>
    </AccountCard>
  );
}

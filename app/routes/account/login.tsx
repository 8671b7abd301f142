import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, redirectDocument, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react';
import { z } from 'zod';
import { passkeySignInOperations } from '#shared/accounts/passkeys/passkey-operations';
import { signInOperations } from '#shared/accounts/sign-in-operations';
import { PRODUCT_NAME } from '#shared/brand';
import { AccountCard } from '~/components/account/account-card';
import { DiscordSignIn, ForgottenPassword, PasswordDisclosure } from '~/components/account/login-forms';
import { PasskeySignIn, usePasskeySignIn } from '~/components/account/passkeys/passkey-sign-in';
import { PasswordForm } from '~/components/account/password-form';
import { storeLocalSession } from '~/components/account/local-session';
import { withNext, safePath } from '#shared/site/paths';
import { useSignInPath } from '~/components/account/use-sign-in-path';
import { VerifyForm } from '~/components/account/verify-form';
import { keepFormOnNetworkError, NOT_SENT, revalidateUnlessOffline } from '~/components/forms/offline';
import { useForms } from '~/components/forms/use-forms';
import { PageNav } from '~/components/page/page-nav';
import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import { loginBrowser, nextOfRequest, resendBrowser, verifyBrowser } from '~/http/auth/login.server';
import { loginWithPasskey, startPasskeyLogin } from '~/http/auth/passkey-login.server';
import { readPending } from '~/http/auth/pending-login.server';
import { findViewer } from '~/http/auth/session.server';
import { everybody, pageForms, performingForm, textField } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { signedIn, type SignedInDetails } from '~/routes/account/signed-in.server';

const VERIFY_PATH = '/login?step=verify';

const NO_SCRIPTS =
  'A passkey needs JavaScript, which this browser has not run. Sign in with Discord, or with your email address and password.';

const NO_CODE_SENT =
  'No code was sent, because no sign-in in this browser is waiting for one. Go back to login to start.';

export async function loader({ request }: LoaderFunctionArgs) {
  if ((await findViewer(request)) !== null) return redirect(nextOfRequest(request) ?? '/dashboard');
  const verifying = new URL(request.url).searchParams.get('step') === 'verify';
  const pending = verifying ? await readPending(request) : null;
  return {
    verifying,
    email: pending?.email ?? null,
    next: pending?.next ?? null,
    discordReady: serverContext().config.discord.oauth !== null,
    passkeysReady: serverContext().config.passkeys !== null,
  };
}

/** The page of a verification form: the dialog on the landing page has the same forms. Null for the page of the action. */
function pageOfForm(form: URLSearchParams): string | null {
  const returnTo = form.get('returnTo') ?? '';
  return ['', VERIFY_PATH].includes(returnTo) ? null : safePath(returnTo);
}

const FAILED = {
  login: NOT_SENT,
  passkeyStart: NOT_SENT,
  passkey: NOT_SENT,
  verify: 'An error occurred',
  resend: 'Failed to resend verification code',
} as const;

/** Whether scripts sent the form: they store a session in local storage. */
const scripts = z.boolean().optional();

const forms = pageForms(
  { path: VERIFY_PATH, access: everybody, failed: FAILED },
  {
    login: performingForm(signInOperations.login, {
      schema: signInOperations.login.input.omit({ browserKey: true }).extend({ scripts }),
      secret: ['password'],
      async run(perform, { scripts: scripted, ...credentials }, { request }) {
        const outcome = await loginBrowser(perform, request, credentials);
        return outcome.kind === 'verify'
          ? { headers: outcome.headers }
          : signedIn(request, outcome, scripted);
      },
    }),
    passkeyStart: performingForm(passkeySignInOperations.start, {
      schema: z.object({ scripts }),
      async run(perform, { scripts: scripted }, { request }) {
        if (scripted !== true) return { ok: false, message: NO_SCRIPTS };
        const { options, headers } = await startPasskeyLogin(perform, request);
        return { stay: true, details: options, headers };
      },
    }),
    passkey: performingForm(passkeySignInOperations.signIn, {
      schema: passkeySignInOperations.signIn.input.pick({ response: true }),
      secret: ['response'],
      run: async (perform, { response }, { request }) =>
        signedIn(request, await loginWithPasskey(perform, request, response), true),
    }),
    verify: performingForm(signInOperations.verify, {
      schema: signInOperations.verify.input.pick({ code: true }).extend({ scripts }),
      secret: ['code'],
      // Scripts show the result where the form is.
      refusedTo: (form) => (form.get('scripts') === 'on' ? null : pageOfForm(form)),
      async run(perform, { code, scripts: scripted }, { request }) {
        // Another tab of this browser has ended the sign-in.
        if ((await readPending(request)) === null && (await findViewer(request)) !== null)
          return { to: '/dashboard' };
        return signedIn(request, await verifyBrowser(perform, request, { code }), scripted);
      },
    }),
    resend: performingForm(signInOperations.resend, {
      schema: z.object({ returnTo: textField }),
      refusedTo: pageOfForm,
      async run(perform, { returnTo }, { request }) {
        if ((await readPending(request)) === null) return { ok: false, message: NO_CODE_SENT };
        const { message } = await resendBrowser(perform, request);
        return { message, to: returnTo === '' ? VERIFY_PATH : safePath(returnTo) };
      },
    }),
  },
);

export const action = forms.action;

const keepForm = keepFormOnNetworkError(FAILED);

/** With scripts the new session is also stored in local storage, and the next page is loaded as a new document. */
export async function clientAction(args: ClientActionFunctionArgs) {
  const answer = await keepForm(args);
  if (answer === null || answer instanceof Response || !isSignedIn(answer.details)) return answer;
  storeLocalSession(answer.details.localSession);
  return redirectDocument(answer.details.path);
}

export const shouldRevalidate = revalidateUnlessOffline;

function isSignedIn(details: unknown): details is SignedInDetails {
  return typeof details === 'object' && details !== null && 'localSession' in details;
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.verifying === true ? 'Verify Email' : 'Log in'} · ${PRODUCT_NAME}` },
  { name: 'robots', content: 'noindex' },
];

export default function Login() {
  const { verifying, email, next, ...ready } = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      {verifying ? (
        <AccountCard title="Verify Your Email">
          <VerifyForm email={email} backTo={withNext('/login', next)} />
        </AccountCard>
      ) : (
        <LoginCard {...ready} />
      )}
    </>
  );
}

function LoginCard({ discordReady, passkeysReady }: { discordReady: boolean; passkeysReady: boolean }) {
  const signInPath = useSignInPath();
  const loginForms = useForms(['login']);
  const passkeys = usePasskeySignIn();
  return (
    <AccountCard title="Welcome Back">
      <p className="text-soft">Sign in to access your account</p>
      <DiscordSignIn ready={discordReady} />
      {passkeysReady ? <PasskeySignIn passkeys={passkeys} /> : null}
      <ForgottenPassword discordReady={discordReady} />
      <p className="text-small text-soft">
        New here?{' '}
        <Link to={signInPath('/signup')} className={LINK_BUTTON_CLASS}>
          Sign up
        </Link>
      </p>
      {/* Last, so that it moves nothing else of the card. */}
      <PasswordDisclosure
        open={loginForms.latest !== null || !discordReady}
        onOpen={passkeysReady ? passkeys.offer : undefined}
      >
        <PasswordForm kind="login" forms={loginForms} />
      </PasswordDisclosure>
    </AccountCard>
  );
}

import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { signInOperations } from '#shared/accounts/sign-in-operations';
import { PRODUCT_NAME } from '#shared/brand';
import { AccountCard } from '~/components/account/account-card';
import { DiscordSignIn, PasswordDisclosure } from '~/components/account/login-forms';
import { PasswordForm } from '~/components/account/password-form';
import { useSignInPath } from '~/components/account/use-sign-in-path';
import { keepFormOnNetworkError, NOT_SENT, revalidateUnlessOffline } from '~/components/forms/offline';
import { useForms } from '~/components/forms/use-forms';
import { PageNav } from '~/components/page/page-nav';
import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import { nextOfRequest, registerBrowser } from '~/http/auth/login.server';
import { findViewer } from '~/http/auth/session.server';
import { everybody, pageForms, performingForm } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';

const FAILED = { register: NOT_SENT } as const;

export async function loader({ request }: LoaderFunctionArgs) {
  if ((await findViewer(request)) !== null) return redirect(nextOfRequest(request) ?? '/dashboard');
  return { discordReady: serverContext().config.discord.oauth !== null };
}

const forms = pageForms(
  { path: '/login?step=verify', access: everybody, failed: FAILED },
  {
    /** Creates an account with an unconfirmed address; a taken address gets the same answer. */
    register: performingForm(signInOperations.register, {
      schema: signInOperations.register.input.omit({ browserKey: true }),
      secret: ['password'],
      run: (perform, credentials, { request }) => registerBrowser(perform, request, credentials),
    }),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => [
  { title: `Create Account · ${PRODUCT_NAME}` },
  {
    name: 'description',
    content: `Create a ${PRODUCT_NAME} account with Discord or an email address, and hear when a shop opens its waiting room or a product is back.`,
  },
];

export default function SignUp() {
  const { discordReady } = useLoaderData<typeof loader>();
  const registerForms = useForms(['register']);
  const signInPath = useSignInPath();
  return (
    <>
      <PageNav />
      <AccountCard title="Create Account">
        <p className="text-soft">
          With Discord it takes one press; its first sign-in creates your account. We send a code to your
          email address, once, to know that it is yours.
        </p>
        <DiscordSignIn ready={discordReady} />
        <p className="text-small text-soft">
          Been here before?{' '}
          <Link to={signInPath('/login')} className={LINK_BUTTON_CLASS}>
            Log in
          </Link>
        </p>
        {/* Last, so that it does not move the rest of the card. */}
        <PasswordDisclosure open={registerForms.latest !== null || !discordReady}>
          <PasswordForm kind="register" forms={registerForms} />
        </PasswordDisclosure>
      </AccountCard>
    </>
  );
}

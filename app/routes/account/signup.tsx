import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { Link, useActionData, useLoaderData, type ClientActionFunctionArgs } from '@remix-run/react';
import { z } from 'zod';
import { emailField, newPasswordField } from '#shared/accounts/account-fields';
import { PRODUCT_NAME } from '#shared/brand';
import { AccountCard } from '~/components/account/account-card';
import { DiscordSignIn } from '~/components/account/discord-sign-in';
import { PasswordDisclosure } from '~/components/account/password-disclosure';
import { PasswordForm } from '~/components/account/password-form';
import { useSignInPath } from '~/components/account/use-sign-in-path';
import { LOST_FORM } from '~/components/forms/lost-form';
import { answerUnlessLost } from '~/components/forms/stay-when-lost';
import { PageNav } from '~/components/page-nav';
import { LINK_BUTTON_CLASS } from '~/components/ui/button-look';
import { refuseForm } from '~/http/forms/form-refusal.server';
import { parsePageForm, readPageForm } from '~/http/forms/page-form.server';
import { serverContext } from '~/http/server/context.server';
import { findViewer } from '~/http/auth/session.server';
import { nextOfRequest, registerBrowser } from '~/http/auth/login.server';

const registerForm = z.object({ email: emailField, password: newPasswordField });

export async function loader({ request }: LoaderFunctionArgs) {
  if ((await findViewer(request)) !== null) return redirect(nextOfRequest(request) ?? '/dashboard');
  return { discordReady: serverContext().config.discord.oauth !== null };
}

/** Creates an account whose address a code has yet to confirm; a taken address gets the same answer. */
export async function action({ request }: ActionFunctionArgs) {
  const submission = parsePageForm(await readPageForm(request), registerForm);
  if (submission.status !== 'success') return submission.reply({ hideFields: ['password'] });
  try {
    const { headers } = await registerBrowser(request, submission.value);
    return redirect('/login?step=verify', { status: 303, headers });
  } catch (error) {
    return refuseForm(submission, error, ['password']);
  }
}

export const clientAction = (args: ClientActionFunctionArgs) => answerUnlessLost(args, () => LOST_FORM);

export const meta: MetaFunction = () => [{ title: `Create Account · ${PRODUCT_NAME}` }];

export default function SignUp() {
  const { discordReady } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>();
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
        <PasswordDisclosure open={lastResult !== undefined || !discordReady}>
          <PasswordForm kind="register" lastResult={lastResult} />
        </PasswordDisclosure>
        <p className="text-small text-soft">
          Been here before?{' '}
          <Link to={signInPath('/login')} className={LINK_BUTTON_CLASS}>
            Log in
          </Link>
        </p>
      </AccountCard>
    </>
  );
}

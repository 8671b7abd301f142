import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { signInOperations } from '#shared/accounts/sign-in-operations';
import { startDiscordLogin } from '~/http/auth/discord-login.server';
import { performerOf } from '~/http/auth/run-operation.server';

/** Only a form starts a sign-in; a GET redirects to the login page. */
export function loader() {
  return redirect('/login');
}

/** Redirects to Discord, or to the error page. */
export function action({ request }: ActionFunctionArgs) {
  return startDiscordLogin(performerOf(signInOperations.startDiscord, { viewer: null, request }), request);
}

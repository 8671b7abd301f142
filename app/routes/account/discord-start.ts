import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { startDiscordLogin } from '~/http/auth/discord-login.server';

/** Only a form starts a sign-in; a GET redirects to the login page. */
export function loader() {
  return redirect('/login');
}

/** Redirects to Discord, or to the error page. */
export function action({ request }: ActionFunctionArgs) {
  return startDiscordLogin(request);
}

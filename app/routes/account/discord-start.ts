import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { startDiscordLogin } from '~/http/auth/discord-login.server';

/** Signing in is started by a button, never by following a link. */
export function loader() {
  return redirect('/login');
}

/** On to Discord, or to the page that says why not. */
export function action({ request }: ActionFunctionArgs) {
  return startDiscordLogin(request);
}

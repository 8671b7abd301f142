import { serverContext } from '../server/context.server';

/** Whether browsers reach the site over https (APP_URL). Session and sign-in cookies are Secure then. */
export function hasSecureCookies(): boolean {
  return serverContext().config.appUrl.startsWith('https:');
}

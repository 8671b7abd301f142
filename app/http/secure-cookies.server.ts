import { serverContext } from './server-context.server';

/** Whether browsers reach the site over https (APP_URL): cookies that prove who somebody is are Secure then. */
export function hasSecureCookies(): boolean {
  return serverContext().config.appUrl.startsWith('https:');
}

import { serverContext } from '../server/context.server';
import { siteSettings } from './site-settings.server';

/** Whether there is a news section; true when the setting cannot be read. */
export async function newsIsOn(): Promise<boolean> {
  try {
    return (await siteSettings()).newsEnabled;
  } catch (error) {
    serverContext().log.error({ err: error }, 'the news setting could not be read');
    return true;
  }
}

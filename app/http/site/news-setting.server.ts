import { requestIdOf } from '../server/request-id.server';
import { serverContext } from '../server/context.server';
import { siteSettings } from './site-settings.server';

/** Whether there is a news section. When that cannot be told, there is. */
export async function newsIsOn(request: Request): Promise<boolean> {
  try {
    return (await siteSettings()).newsEnabled;
  } catch (error) {
    serverContext().log.error(
      { requestId: requestIdOf(request), err: error },
      'the news setting could not be read',
    );
    return true;
  }
}

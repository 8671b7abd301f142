import { isNewsEnabled } from '#shared/settings/read-settings';
import { requestIdOf } from './request-id.server';
import { serverContext } from './server-context.server';

/** Whether there is a news section. When that cannot be told, there is. */
export async function newsIsOn(request: Request): Promise<boolean> {
  const { db, log } = serverContext();
  try {
    return await isNewsEnabled(db);
  } catch (error) {
    log.error({ requestId: requestIdOf(request), err: error }, 'the news setting could not be read');
    return true;
  }
}

import { serverContext } from '../server/context.server';

/**
 * What a page can do without: null when it could not be read, which is logged; the page then says so in its place. A
 * thrown Response is an answer and is passed on.
 */
export async function loadOptional<Loaded>(
  request: Request,
  load: () => Promise<Loaded>,
): Promise<Loaded | null> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof Response) throw error;
    serverContext().log.error({ err: error }, 'a part of a page failed to load');
    return null;
  }
}

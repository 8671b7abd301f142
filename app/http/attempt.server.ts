import { failureOf, type Failure } from './failures.server';
import { requestIdOf } from './request-id.server';
import { serverContext } from './server-context.server';

/**
 * Does what a form of a page asks for. Null when it is done; else why not: an expected refusal, or `failed` in place of
 * what nobody expected, which is logged.
 */
export async function attempt(
  request: Request,
  failed: string,
  work: () => Promise<unknown>,
): Promise<Pick<Failure, 'status' | 'message' | 'errors'> | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const failure = failureOf(error);
    if (failure !== null) return failure;
    serverContext().log.error({ requestId: requestIdOf(request), err: error }, failed);
    return { status: 500, message: failed };
  }
}

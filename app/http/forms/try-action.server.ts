import { failureOf, type Failure } from '../failures.server';
import { notePageFault } from '../page-fault.server';

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
    notePageFault(request, error, { message: failed });
    return { status: 500, message: failed };
  }
}

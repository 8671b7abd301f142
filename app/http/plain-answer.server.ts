import { failureOf } from './failures.server';

/** A sentence as an answer of its own, for what is neither a page nor the API. */
export function plainAnswer(message: string, status: number): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

/** Runs a resource route that is no API call; expected refusals become a sentence with their status. */
export async function orPlainRefusal<Answer>(run: () => Promise<Answer>): Promise<Answer | Response> {
  try {
    return await run();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return plainAnswer(failure.message, failure.status);
  }
}

import { isBusy } from '#shared/database/database-errors';
import { busyFailure, failureOf } from '../failures.server';

/** A sentence as an answer of its own, for what is neither a page nor the API. */
export function plainAnswer(message: string, status: number, headers?: HeadersInit): Response {
  const all = new Headers(headers);
  all.set('Content-Type', 'text/plain; charset=utf-8');
  all.set('Cache-Control', 'no-store');
  return new Response(`${message}\n`, { status, headers: all });
}

/** Runs a resource route that is no API call; expected refusals, and a locked database, become a sentence with their status. */
export async function orPlainRefusal<Answer>(run: () => Promise<Answer>): Promise<Answer | Response> {
  try {
    return await run();
  } catch (error) {
    const failure = isBusy(error) ? busyFailure() : failureOf(error);
    if (failure === null) throw error;
    return plainAnswer(failure.message, failure.status, failure.headers);
  }
}

import { data } from '@remix-run/node';
import { failureOf } from './failures.server';
import { readForm } from './read-form.server';

/** The fields of a form that a page takes; one that cannot be read ends on the error page, with its status. */
export async function readPageForm(request: Request): Promise<URLSearchParams> {
  try {
    return await readForm(request);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    throw data(null, { status: failure.status });
  }
}

/** What to throw at a form that names nothing this page does. */
export function unknownIntent() {
  return data(null, { status: 400 });
}

import type { Submission } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data } from '@remix-run/node';
import type { z } from 'zod';
import { failureOf } from '../failures.server';
import { readForm } from './read-form.server';
import { isMultipart, readUpload, type Upload, type UploadShape } from './read-upload.server';

/** What to throw at a form that cannot be read: the error page with its refusal's status; a bug stays what it is. */
function errorPage(error: unknown): unknown {
  const failure = failureOf(error);
  return failure === null ? error : data(null, { status: failure.status });
}

/** The fields of a form that a page takes; one that cannot be read ends on the error page, with its status. */
export async function readPageForm(request: Request): Promise<URLSearchParams> {
  try {
    return await readForm(request);
  } catch (error) {
    throw errorPage(error);
  }
}

/**
 * What a form holds for `schema`, whose fields are plain ones. The form library sees the schema's own field names alone:
 * it would build an object or a list of any size from every other name, and takes commands (`__intent__`, `__state__`)
 * from two of them (@conform-to/dom 1.21, `getSubmissionContext`).
 */
export function parsePageForm<Schema extends z.ZodObject>(
  form: URLSearchParams,
  schema: Schema,
): Submission<z.input<Schema>, string[], z.output<Schema>> {
  const fields = new URLSearchParams();
  for (const name of Object.keys(schema.shape)) {
    for (const value of form.getAll(name)) fields.append(name, value);
  }
  return parseWithZod(fields, { schema });
}

/**
 * Hands `work` the fields and files of a form that a page takes; a form without files is one too. What `work` does not take
 * of the files is removed when it has ended. One that cannot be read ends on the error page, with its status.
 */
export async function withPageUpload<T>(
  request: Request,
  shape: UploadShape,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  if (!isMultipart(request)) return work({ fields: await readPageForm(request), files: [] });
  return readUpload(request, shape, work, (refusal) => {
    throw errorPage(refusal);
  });
}

/** What to throw at a form that names nothing this page does. */
export function unknownIntent() {
  return data(null, { status: 400 });
}

import { HttpRefusal } from './failures.server';
import { readBody } from './read-body.server';

/** Enough for every form of plain fields. */
const FORM_LIMIT_BYTES = 64 * 1024;

/** The fields of a posted form without files. Throws refusals: 415 another encoding, 413 over `limitBytes`. */
export async function readForm(request: Request, limitBytes = FORM_LIMIT_BYTES): Promise<URLSearchParams> {
  const mediaType = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded') {
    throw new HttpRefusal({
      status: 415,
      code: 'unsupported_media_type',
      message: 'This form cannot be read.',
    });
  }
  return new URLSearchParams(new TextDecoder().decode(await readBody(request, limitBytes)));
}

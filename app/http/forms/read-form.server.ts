import { HttpRefusal } from '../server/failures.server';
import { readBody } from './read-body.server';

/** Enough for every form of plain fields. */
const FORM_LIMIT_BYTES = 64 * 1024;

/** More than any of our forms has: a member can choose among 200 watches. */
const MAX_FIELDS = 300;
/** Longer than the name of any of our fields, in characters. */
const MAX_NAME_LENGTH = 100;
/** Form libraries build an object or a list from each `.` and `[` of a name; none of our forms goes this deep. */
const MAX_NAME_DEPTH = 5;

const AMPERSAND = 0x26;

/** Whether a body has more than `most` fields; counts the separators without parsing them. */
function hasMoreFields(body: Uint8Array, most: number): boolean {
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at !== -1; at = body.indexOf(AMPERSAND, at + 1)) {
    fields += 1;
    if (fields > most) return true;
  }
  return false;
}

function isFieldName(name: string): boolean {
  return (
    name.length <= MAX_NAME_LENGTH && name.split(/[.[]/, MAX_NAME_DEPTH + 2).length <= MAX_NAME_DEPTH + 1
  );
}

/** The fields of a form without files. Throws 415 (encoding), 413 (over `limitBytes`, too many fields), 400 (names). */
export async function readForm(request: Request, limitBytes = FORM_LIMIT_BYTES): Promise<URLSearchParams> {
  const mediaType = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded') {
    throw new HttpRefusal({
      status: 415,
      code: 'unsupported_media_type',
      message: 'This form cannot be read.',
    });
  }
  const body = await readBody(request, limitBytes);
  if (hasMoreFields(body, MAX_FIELDS)) {
    throw new HttpRefusal({
      status: 413,
      code: 'payload_too_large',
      message: `The form has too many fields. At most ${MAX_FIELDS} are accepted here.`,
    });
  }
  const form = new URLSearchParams(new TextDecoder().decode(body));
  if (![...form.keys()].every(isFieldName))
    throw new HttpRefusal({ status: 400, code: 'malformed_form', message: 'This form cannot be read.' });
  return form;
}

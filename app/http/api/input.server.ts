import type { z } from 'zod';
import type { FileRule, StagedFile } from '#shared/storage/file-rule';
import { HttpRefusal } from '../failures.server';
import { faultsOf, sentenceOf } from './input-faults.server';
import type { Upload } from '../forms/read-upload.server';

/**
 * The text parameters that a schema names, as an object; a repeated one becomes a list, which a schema of one value
 * refuses. Other names are the sender's and reach no parser.
 */
function textObject(schema: z.ZodObject, parameters: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const values = parameters.getAll(name);
      return values.length === 0 ? [] : [[name, values.length === 1 ? (values[0] ?? '') : values]];
    }),
  );
}

/** The parts of a path. Throws a 404 refusal for one that cannot be right: it names nothing. */
export function parseParams<Params extends z.ZodObject>(
  schema: Params,
  given: Record<string, string | undefined>,
): z.output<Params> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new HttpRefusal({ status: 404, code: 'not_found', message: 'There is nothing at this address.' });
}

/** The search parameters. Throws a 400 refusal that names those at fault. */
export function parseQuery<Query extends z.ZodObject>(
  schema: Query,
  given: URLSearchParams,
): z.output<Query> {
  const parsed = schema.safeParse(textObject(schema, given), { error: sentenceOf });
  if (parsed.success) return parsed.data;
  throw new HttpRefusal({ status: 400, code: 'invalid_query', ...faultsOf(parsed.error, 'query') });
}

/** What a JSON body holds. Throws a 422 refusal that names the fields at fault. */
export function parseBody<Body extends z.ZodObject>(schema: Body, body: unknown): z.output<Body> {
  const parsed = schema.safeParse(body, { error: sentenceOf });
  if (parsed.success) return parsed.data;
  throw new HttpRefusal({ status: 422, code: 'invalid', ...faultsOf(parsed.error, 'body') });
}

/** The text fields of a form, as `parseBody` does with a body. */
export function parseFields<Body extends z.ZodObject>(schema: Body, fields: URLSearchParams): z.output<Body> {
  return parseBody(schema, textObject(schema, fields));
}

/** The one file of each declared field. Throws the rule's refusal for one that is missing or not taken. */
export function requireFiles(
  rules: Readonly<Record<string, FileRule>>,
  { files }: Upload,
): Record<string, StagedFile> {
  return Object.fromEntries(
    Object.entries(rules).map(([field, rule]) => {
      const arrived = files.filter((file) => file.field === field);
      const refused = arrived.find((file) => file.refused !== undefined)?.refused;
      if (refused !== undefined) throw refused;
      const file = arrived[0]?.file;
      if (file === undefined) throw rule.refusal('missing');
      return [field, file];
    }),
  );
}

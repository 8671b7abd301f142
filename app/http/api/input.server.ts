import { z } from 'zod';
import { defaultMessage, inputErrors } from '#shared/input-errors';
import type { FileRule, StagedFile } from '#shared/storage/file-rule';
import { HttpRefusal } from '../server/failures.server';
import type { Upload } from '../forms/read-upload.server';

/** The parameters that the schema names, as an object. A repeated one becomes an array, which a string schema rejects. */
function textObject(schema: z.ZodObject, parameters: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const values = parameters.getAll(name);
      return values.length === 0 ? [] : [[name, values.length === 1 ? (values[0] ?? '') : values]];
    }),
  );
}

/** Parses path parameters. Throws a 404 refusal if one is invalid. */
export function parseParams<Params extends z.ZodObject>(
  schema: Params,
  raw: Record<string, string | undefined>,
): z.output<Params> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new HttpRefusal({ status: 404, code: 'not_found', message: 'There is nothing at this address.' });
}

/** Parses search parameters. Throws a 400 refusal that names the invalid ones. */
export function parseQuery<Query extends z.ZodObject>(
  schema: Query,
  parameters: URLSearchParams,
): z.output<Query> {
  const parsed = schema.safeParse(textObject(schema, parameters), { error: defaultMessage });
  if (parsed.success) return parsed.data;
  throw new HttpRefusal({ status: 400, code: 'invalid_query', ...inputErrors(parsed.error, 'query') });
}

/** Parses a JSON body. Throws a 422 refusal that names the invalid fields. */
export function parseBody<Body extends z.ZodObject>(schema: Body, body: unknown): z.output<Body> {
  const parsed = schema.safeParse(body, { error: defaultMessage });
  if (parsed.success) return parsed.data;
  throw new HttpRefusal({ status: 422, code: 'invalid', ...inputErrors(parsed.error, 'body') });
}

/** Parses the text fields of a form. Throws as `parseBody` does. */
export function parseFields<Body extends z.ZodObject>(schema: Body, fields: URLSearchParams): z.output<Body> {
  return parseBody(schema, textObject(schema, fields));
}

/** The file of each declared field. Throws the rule's refusal if a file is missing or not accepted. */
export function requireFiles(
  rules: Readonly<Record<string, FileRule>>,
  { files }: Upload,
): Record<string, StagedFile> {
  return Object.fromEntries(
    Object.entries(rules).map(([field, rule]) => {
      const received = files.filter((file) => file.field === field);
      const refused = received.find((file) => file.refused !== undefined)?.refused;
      if (refused !== undefined) throw refused;
      const file = received[0]?.file;
      if (file === undefined) throw rule.refusal('missing');
      return [field, file];
    }),
  );
}

/** A search parameter: a whole number from 1 to `max`, or `fallback`. By `meta` the OpenAPI document describes a number. */
export function countParameter(name: string, { max, fallback }: { max?: number; fallback: number }) {
  const rule = `${name} is a whole number from 1${max === undefined ? '' : ` to ${max}`}.`;
  return z
    .string()
    .regex(/^\d{1,15}$/, rule)
    .transform(Number)
    .refine((count) => count >= 1 && (max === undefined || count <= max), rule)
    .default(fallback)
    .meta({
      type: 'integer',
      minimum: 1,
      ...(max !== undefined && { maximum: max }),
      description: `${fallback} by default.`,
    });
}

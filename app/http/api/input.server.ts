import { z } from 'zod';
import type { FileRule, StagedFile } from '#shared/storage/file-rule';
import { HttpRefusal } from '../server/failures.server';
import type { Upload } from '../forms/read-upload.server';

/** Sentences per field, and the first of them as the message. */
interface InputFaults {
  message: string;
  errors: Record<string, string[]>;
}

/** zod's types in the words of a JSON API. */
const TYPE_WORDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  record: 'an object',
  null: 'null',
};

function nameOf(path: readonly PropertyKey[] | undefined): string {
  return path === undefined || path.length === 0 ? 'The input' : path.map(String).join('.');
}

/**
 * The sentence for a fault whose rule has none. It names the field, so that it can be shown alone. A rule's own sentence
 * takes precedence (zod docs, "Customizing errors", Error precedence).
 */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  const name = nameOf(issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${name} is required.`
        : `${name} must be ${TYPE_WORDS[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `${name} must be one of: ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      return `${name} is too ${issue.origin === 'string' || issue.origin === 'array' ? 'short' : 'small'}.`;
    case 'too_big':
      return `${name} is too ${issue.origin === 'string' || issue.origin === 'array' ? 'long' : 'large'}.`;
    default:
      return `${name} is not right.`;
  }
}

/** What is wrong with an input. A fault of no particular field is listed under `whole`. */
function faultsOf(error: z.ZodError, whole: string): InputFaults {
  const errors: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const field = issue.path.length === 0 ? whole : issue.path.map(String).join('.');
    (errors[field] ??= []).push(issue.message);
  }
  return { message: error.issues[0]?.message ?? 'The input is not right.', errors };
}

/**
 * The text parameters that a schema names, as an object. A repeated one becomes a list, which a schema of one value
 * refuses. Other parameters are ignored.
 */
function textObject(schema: z.ZodObject, parameters: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const values = parameters.getAll(name);
      return values.length === 0 ? [] : [[name, values.length === 1 ? (values[0] ?? '') : values]];
    }),
  );
}

/** The parts of a path. Throws a 404 refusal for an invalid one. */
export function parseParams<Params extends z.ZodObject>(
  schema: Params,
  given: Record<string, string | undefined>,
): z.output<Params> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new HttpRefusal({ status: 404, code: 'not_found', message: 'There is nothing at this address.' });
}

/** The search parameters. Throws a 400 refusal that names the invalid ones. */
export function parseQuery<Query extends z.ZodObject>(
  schema: Query,
  given: URLSearchParams,
): z.output<Query> {
  const parsed = schema.safeParse(textObject(schema, given), { error: sentenceOf });
  if (parsed.success) return parsed.data;
  throw new HttpRefusal({ status: 400, code: 'invalid_query', ...faultsOf(parsed.error, 'query') });
}

/** A JSON body. Throws a 422 refusal that names the invalid fields. */
export function parseBody<Body extends z.ZodObject>(schema: Body, body: unknown): z.output<Body> {
  const parsed = schema.safeParse(body, { error: sentenceOf });
  if (parsed.success) return parsed.data;
  throw new HttpRefusal({ status: 422, code: 'invalid', ...faultsOf(parsed.error, 'body') });
}

/** The text fields of a form, with the refusals of `parseBody`. */
export function parseFields<Body extends z.ZodObject>(schema: Body, fields: URLSearchParams): z.output<Body> {
  return parseBody(schema, textObject(schema, fields));
}

/** The one file of each declared field. Throws the rule's refusal for one that is missing or not accepted. */
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

/**
 * A search parameter that is a whole number from 1, at most `max`; `fallback` when it is left out. `meta` describes the
 * number, because the OpenAPI document would call it a string.
 */
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

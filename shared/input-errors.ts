import type { z } from 'zod';

/** Names of zod's types in messages. */
const TYPE_NAMES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  record: 'an object',
  null: 'null',
};

/**
 * The default message of an invalid field. It names the field, so that it can be shown alone. A message in the schema takes
 * precedence (zod docs, "Customizing errors", Error precedence).
 */
export function defaultMessage(issue: z.core.$ZodRawIssue): string {
  const name =
    issue.path === undefined || issue.path.length === 0 ? 'The input' : issue.path.map(String).join('.');
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${name} is required.`
        : `${name} must be ${TYPE_NAMES[issue.expected] ?? issue.expected}.`;
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

/** The errors of an input by field. An error of the whole input is listed under `whole`. */
export function inputErrors(error: z.ZodError, whole: string) {
  const errors = new Map<string, string[]>();
  for (const issue of error.issues) {
    const field = issue.path.length === 0 ? whole : issue.path.map(String).join('.');
    errors.set(field, [...(errors.get(field) ?? []), issue.message]);
  }
  return {
    message: error.issues[0]?.message ?? 'The input is not right.',
    errors: Object.fromEntries(errors),
  };
}

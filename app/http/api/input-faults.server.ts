import type { z } from 'zod';

/** Sentences per field, and the first of them for a reader who shows only one. */
export interface InputFaults {
  message: string;
  errors: Record<string, string[]>;
}

/** zod's name of a type in words that a caller of a JSON API uses. */
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
 * The sentence for a fault whose rule names none: it says which field is meant, so that it can stand alone.
 * A rule's own sentence goes before it (zod docs, "Customizing errors", Error precedence).
 */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
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

/** What is wrong with an input. What concerns no field in particular goes under `whole`. */
export function faultsOf(error: z.ZodError, whole: string): InputFaults {
  const errors: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const field = issue.path.length === 0 ? whole : issue.path.map(String).join('.');
    (errors[field] ??= []).push(issue.message);
  }
  return { message: error.issues[0]?.message ?? 'The input is not right.', errors };
}

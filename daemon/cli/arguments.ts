import { emailField } from '#shared/accounts/account-fields';
import { UsageError } from './terminal';

const SHOWN_CHARACTERS = 100;

/** A value as an operator typed it, for a sentence: in quotes unless it is a plain word, and shortened. */
export function quoteValue(text: string): string {
  const short = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return /^[\w@.:/+-]+…?$/.test(short) ? short : `"${short}"`;
}

/** Wrong use because of a value. `name`: the option or the argument; `rule`: a sentence that says what it must be. */
export function wrongValue(name: string, text: string, rule: string): UsageError {
  return new UsageError(`Cannot use ${quoteValue(text)} as ${name}: ${rule}`);
}

/** Reads an argument or an option that is an email address. Throws a `UsageError`. */
export function readEmail(text: string): string {
  const parsed = emailField.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${quoteValue(text)} is not an email address.`);
}

/** The value of a switch, yes or no; other texts as they are, for the rule to refuse. */
export function asSwitch(text: string): boolean | string {
  return text === 'yes' ? true : text === 'no' ? false : text;
}

/** Reads an option that is a whole number from 1 to `most`. Throws a `UsageError`. */
export function readCount(text: string, option: string, most: number): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= most) return count;
  throw wrongValue(option, text, `${option} is a whole number from 1 to ${most}.`);
}

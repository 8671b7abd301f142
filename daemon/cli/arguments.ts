import { parseArgs, type ParseArgsConfig } from 'node:util';
import { emailField } from '#shared/accounts/account-fields';
import { UsageError } from './terminal';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses the options and positional arguments of a command. Every command also takes `--help` (`-h`). Throws a
 * `UsageError` that ends with `usage` when an option is unknown or lacks its value.
 */
export function readArguments<const T extends Options>(
  args: readonly string[],
  { options, usage }: { options: T; usage: string },
) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: { ...options, help: { type: 'boolean', short: 'h', default: false } },
    });
    return { values, positionals };
  } catch (error) {
    const isWrongUse =
      error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    throw isWrongUse ? new UsageError(`${error.message}\n\n${usage}`) : error;
  }
}

/** Reads a positional argument or an option that is an email address. Throws a `UsageError` that ends with `usage`. */
export function readEmail(text: string | undefined, usage: string): string {
  const parsed = emailField.safeParse(text);
  if (parsed.success) return parsed.data;
  const fault = text === undefined ? 'The email address is missing.' : `${text} is not an email address.`;
  throw new UsageError(`${fault}\n\n${usage}`);
}

import { ConfigError } from '#shared/config.server';
import { NewerSchemaError } from '#shared/database/migrator.server';
import { DomainError } from '#shared/errors';
import { terminalLine, terminalText } from './terminal-text';

/** The command was typed wrongly: the message says how it goes. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Ends a command: expected refusals as a sentence, bugs with their stack. Exit code 2 for wrong use, 1 otherwise. */
export function reportFailure(error: unknown): never {
  const expected =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    error instanceof DomainError ||
    error instanceof NewerSchemaError;
  const text = expected
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`${terminalText(text)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}

/** Rows as aligned columns; the first row is the heading. Cells may hold text from outside. */
export function formatTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(terminalLine));
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** "14:03:07 (12 s ago)", in this machine's time zone. */
export function formatAge(iso: string | null, now: number): string {
  if (iso === null) return 'never';
  const at = new Date(iso);
  const seconds = Math.max(0, Math.round((now - at.getTime()) / 1000));
  const ago =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7200
        ? `${Math.round(seconds / 60)} min`
        : seconds < 172_800
          ? `${Math.round(seconds / 3600)} h`
          : `${Math.round(seconds / 86_400)} days`;
  return `${at.toLocaleTimeString('en-GB')} (${ago} ago)`;
}

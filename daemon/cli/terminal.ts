import { readConfig, type Config } from '#shared/config.server';
import { openDatabase } from '#shared/database/connection.server';
import { createDatabaseClock, type DatabaseClock } from '#shared/database/database-clock';
import type { Database } from '#shared/database/schema';
import { requireCurrentSchema } from '#shared/database/schema-state.server';
import { describeFailure, printFailure } from '#shared/process/describe-failure.server';
import { migrations } from '../../migrations/all-migrations';
import { terminalJson, terminalLine, terminalText } from '#shared/terminal-text';

/** Wrong use of a command: a sentence that names the value. `createProgram` adds the usage. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export interface CommandOutput {
  /** Printed without `--json`. */
  lines: string[];
  /** Printed with `--json`. */
  json: Record<string, unknown>;
  /** True when the command ran but its action was refused: exit code 1. */
  failed?: boolean;
}

const JSON_FLAG = '--json';

/** The actor of all commands: an operator types them on the server and has no account. */
export const OPERATOR = { userId: null };

/** The environment variables that a command reads its configuration from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The output of a command, and its exit code. */
export interface ToolResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Prints a line of progress to standard error. */
export type Note = (line: string) => void;

/** A program of `npm run`; `scripts/processes/run-tool.mjs` prints its result. `note`: default nothing. */
export type Tool = (args: readonly string[], environment: Environment, note?: Note) => Promise<ToolResult>;

const printed = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/**
 * Makes a tool of `work`, which gets the arguments except `--json`. A failure prints a sentence to standard error (for a
 * bug, the stack) and, with `--json`, an object as the last line of standard output. Exit code 2 for wrong use, 1 for
 * every other failure.
 */
export function createTool(
  work: (args: string[], environment: Environment, note: Note) => CommandOutput | Promise<CommandOutput>,
): Tool {
  return async (args, environment, note = () => undefined) => {
    const asJson = args.includes(JSON_FLAG);
    const print = (object: Record<string, unknown>, lines: readonly string[]): string =>
      printed(asJson ? [terminalJson(object)] : lines.map(terminalText));
    try {
      const { lines, json, failed } = await work(
        args.filter((arg) => arg !== JSON_FLAG),
        environment,
        (line) => note(terminalText(line)),
      );
      return { code: failed === true ? 1 : 0, stdout: print(json, lines), stderr: '' };
    } catch (error) {
      const isWrongUse = error instanceof UsageError;
      const { code, message } = isWrongUse
        ? { code: 'wrong_use', message: error.message }
        : describeFailure(error);
      return {
        code: isWrongUse ? 2 : 1,
        stdout: print({ success: false, code, message }, []),
        stderr: printed([terminalText(isWrongUse ? message : printFailure(error))]),
      };
    }
  };
}

/** The output of `--help`. */
export function showUsage(usage: string): CommandOutput {
  return { lines: [usage], json: { success: true, usage } };
}

/** Runs `work` with the configured database and its clock. Throws a `SchemaError` when that is missing, unmigrated or newer. */
export async function withDatabase<T>(
  environment: Environment,
  work: (db: Database, config: Config, clock: DatabaseClock) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment);
  await requireCurrentSchema(config.database, Object.keys(migrations));
  const db = openDatabase(config.database);
  const clock = createDatabaseClock(db);
  try {
    await clock.start();
    return await work(db, config, clock);
  } finally {
    await clock.stop();
    await db.destroy();
  }
}

/** Aligns rows in columns; the first row is the heading. Makes untrusted text in the cells safe for a terminal. */
export function formatTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(terminalLine));
  const widths = (rows[0] ?? []).map((_cell, column) =>
    rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), 0),
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

import { parseArgs } from 'node:util';
import { quoteValue } from './arguments';
import {
  createTool,
  showUsage,
  UsageError,
  type CommandOutput,
  type Environment,
  type Note,
  type Tool,
} from './terminal';

type Options = Readonly<Record<string, { type: 'string' | 'boolean' }>>;

type Values<O extends Options> = {
  [Name in keyof O]?: O[Name]['type'] extends 'boolean' ? boolean : string;
};

/** What a command gets: as many arguments as it needs, and options that it knows. */
interface Input<Needs extends readonly string[], O extends Options> {
  needed: { readonly [Index in keyof Needs]: string };
  /** The argument that may be missing. */
  optional: string | undefined;
  values: Values<O>;
  environment: Environment;
  /** Prints a line at once, while the command still runs. */
  note: Note;
}

interface Definition<Needs extends readonly string[], O extends Options> {
  /** The command with its arguments and options, as the usage shows it: `bounces clear EMAIL`. */
  use: string;
  /** What it does, a line each. */
  help: readonly string[];
  /** What each argument is, such as "email address", for a sentence that says that it is missing. */
  needs?: Needs;
  /** Whether one more argument is allowed. */
  takesOptional?: boolean;
  options?: O;
  /** Throws a `UsageError` for a wrong value; the usage is added to it. */
  run(input: Input<Needs, O>): CommandOutput | Promise<CommandOutput>;
}

/** An input whose arguments and options are known at run time only. */
type AnyInput = Omit<Input<readonly string[], Options>, 'values'> & {
  values: Readonly<Record<string, string | boolean>>;
};

interface Command extends Pick<Definition<readonly string[], Options>, 'use' | 'help'> {
  needs: readonly string[];
  takesOptional: boolean;
  options: Options;
  run(input: AnyInput): CommandOutput | Promise<CommandOutput>;
}

/** Defines a command of a program. */
export function defineCommand<
  const Needs extends readonly string[] = [],
  const O extends Options = Record<never, never>,
>({ use, help, needs, takesOptional = false, options, run }: Definition<Needs, O>): Command {
  return {
    use,
    help,
    needs: needs ?? [],
    takesOptional,
    options: options ?? {},
    // The arguments and options have been compared with `needs` and `options`.
    run: (input) => run(input as unknown as Input<Needs, O>),
  };
}

interface Program {
  /** The start of the command line: `npm run members --`. */
  start: string;
  /** By name: `list`, or `bounces list` in a group. A program of one command names it ''. */
  commands: Readonly<Record<string, Command>>;
  /** The default commands of groups: `watch` means `watch list`. */
  defaults?: Readonly<Record<string, string>>;
  /** Options that most commands take, as the usage shows them. */
  common?: string;
  /** Lines at the end of the usage. */
  notes?: readonly string[];
}

const JSON_NOTE = '--json prints one JSON object as the last line, also when the command fails.';
const HELP_COLUMN = 28;

function listCommands(commands: readonly Command[]): string[] {
  return commands.flatMap(({ use, help }) => {
    const words = use === '' ? '(no command)' : use;
    const isShort = words.length < HELP_COLUMN - 2;
    const [first = '', ...others] = help;
    return [
      ...(isShort ? [`  ${words.padEnd(HELP_COLUMN - 2)}${first}`] : [`  ${words}`]),
      ...(isShort ? others : help).map((line) => `${' '.repeat(HELP_COLUMN)}${line}`),
    ];
  });
}

function usageOfCommand({ start }: Program, { use, help }: Command): string {
  const words = [start, use].filter((part) => part !== '').join(' ');
  return [`Use: ${words} [--json]`, '', ...help].join('\n');
}

function usageOf(program: Program, names = Object.keys(program.commands)): string {
  const commands = names.flatMap((name) => program.commands[name] ?? []);
  const [only] = commands;
  if (commands.length === 1 && only !== undefined)
    return [usageOfCommand(program, only), ...(program.notes ?? []), JSON_NOTE].join('\n');
  return [
    `Use: ${[program.start, 'COMMAND', program.common, '[--json]'].filter(Boolean).join(' ')}`,
    '',
    ...listCommands(commands),
    '',
    ...(program.notes ?? []),
    JSON_NOTE,
  ].join('\n');
}

const withUsage = (sentence: string, usage: string): UsageError => new UsageError(`${sentence}\n\n${usage}`);

/** Finds the command that the first words name; the rest are its arguments. Null when no word names one. */
function findCommand(
  program: Program,
  words: readonly string[],
): { command: Command; rest: readonly string[] } | null {
  const { commands, defaults = {} } = program;
  const at = (name: string): Command | undefined =>
    Object.hasOwn(commands, name) ? commands[name] : undefined;
  const [first, second] = words;
  const only = at('');
  if (only !== undefined && (first === undefined || Object.keys(commands).length === 1))
    return { command: only, rest: words };
  if (first === undefined) return null;
  const group = Object.keys(commands).filter((name) => name.startsWith(`${first} `));
  if (group.length === 0) {
    const command = at(first);
    if (command !== undefined) return { command, rest: words.slice(1) };
    throw withUsage(`There is no command ${quoteValue(first)}.`, usageOf(program));
  }
  const name = second === undefined ? (defaults[first] ?? first) : `${first} ${second}`;
  const command = at(name);
  if (command !== undefined) return { command, rest: words.slice(2) };
  const names = at(first) === undefined ? group : [first, ...group];
  throw withUsage(
    second === undefined
      ? `The command ${first} needs one of: ${group.map((one) => one.slice(first.length + 1)).join(', ')}.`
      : `There is no command ${first} ${quoteValue(second)}.`,
    usageOf(program, names),
  );
}

interface GivenOption {
  name: string;
  /** As it was typed, with its dashes. */
  rawName: string;
  value: string | undefined;
  inline: boolean;
}

/** Reads the options of a command. Throws a `UsageError` for one that is unknown, repeated, or lacks its value. */
function readOptions(given: readonly GivenOption[], options: Options): Record<string, string | boolean> {
  const values: Record<string, string | boolean> = Object.create(null) as Record<string, string | boolean>;
  for (const { name, rawName, value, inline } of given) {
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined && name !== 'json') throw new UsageError(`Unknown option '${rawName}'.`);
    if (option?.type !== 'string' && value !== undefined)
      throw new UsageError(`${rawName} takes no value, so ${quoteValue(value)} cannot be used.`);
    if (Object.hasOwn(values, name)) throw new UsageError(`${rawName} is given twice.`);
    if (option?.type === 'string') {
      if (value === undefined || value === '') throw new UsageError(`${rawName} needs a value.`);
      if (!inline && value.startsWith('-'))
        throw new UsageError(
          `${rawName} needs a value; one with a dash at its start is ${rawName}=${value}.`,
        );
    }
    values[name] = value ?? true;
  }
  return values;
}

function checkArguments(rest: readonly string[], { needs, takesOptional }: Command): void {
  const missing = needs[rest.length];
  if (missing !== undefined) throw new UsageError(`The ${missing} is missing.`);
  const extra = rest[needs.length + (takesOptional ? 1 : 0)];
  if (extra !== undefined) throw new UsageError(`The argument ${quoteValue(extra)} is one too many.`);
}

/**
 * Creates a tool from a program's commands. Wrong use prints one sentence that names the value, and only that command's
 * usage. Every command takes `--help` (`-h`), and no argument shows the usage.
 */
export function createProgram(program: Program): Tool {
  const allOptions: Options = Object.assign({}, ...Object.values(program.commands).map((one) => one.options));
  return createTool(async (args, environment, note) => {
    const { tokens } = parseArgs({
      args,
      allowPositionals: true,
      strict: false,
      tokens: true,
      options: { ...allOptions, help: { type: 'boolean', short: 'h' } },
    });
    const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
    const given = tokens.flatMap((token) =>
      token.kind === 'option'
        ? [
            {
              name: token.name,
              rawName: token.rawName,
              value: token.value,
              inline: token.inlineValue === true,
            },
          ]
        : [],
    );
    const needsHelp = given.some(({ name }) => name === 'help');
    const found = needsHelp && words.length === 0 ? null : findCommand(program, words);
    if (found === null) {
      const [option] = given.filter(({ name }) => name !== 'help');
      if (option !== undefined && !needsHelp)
        throw withUsage(
          Object.hasOwn(allOptions, option.name)
            ? `The command for ${option.rawName} is missing.`
            : `Unknown option '${option.rawName}'.`,
          usageOf(program),
        );
      return showUsage(usageOf(program));
    }
    const { command, rest } = found;
    if (needsHelp) return showUsage(usageOfCommand(program, command));
    try {
      const values = readOptions(given, command.options);
      checkArguments(rest, command);
      const needed = rest.slice(0, command.needs.length);
      const optional = rest[command.needs.length];
      return await command.run({ needed, optional, values, environment, note });
    } catch (error) {
      throw error instanceof UsageError ? withUsage(error.message, usageOfCommand(program, command)) : error;
    }
  });
}

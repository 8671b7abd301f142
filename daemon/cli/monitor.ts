import { readArguments } from './arguments';
import { createMonitorCommands } from './monitor-commands';
import { runTool, showUsage, UsageError, type CommandOutput } from './terminal';

const USAGE = `Use: npm run monitor -- COMMAND [--watch SLUG] [--json]

  start                      switch monitoring on
  stop                       switch it off; open alerts are shown as paused
  check                      one check now, at any hour; like any other it can open or close an alert
  status                     what the monitor knows, and whether alerts reached everyone
  history [--hours N]        checks of the last N hours (24), newest first, and the alerts among them
                             [--limit N] at most N checks (500), [--before ID] those older than a check
  settings                   the monitor's settings
  settings set KEY VALUE     change one
  webhook                    the webhooks, masked
  webhook set URL            where alerts go  [--audience instant|free|admin]
  webhook delete             forget it        [--audience …]
  webhook test               post a test      [--audience …]
  judge                      fetch the page once and judge it; records nothing and alerts nobody
  judge --file PAGE          judge a saved page  [--status N] [--url U] [--headers FILE]

--watch SLUG is the watch that the command is about (pokemon-center-uk).
--json prints one JSON object as the last line, failures too.`;

const OPTIONS = {
  watch: { type: 'string' },
  hours: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  audience: { type: 'string' },
  file: { type: 'string' },
  status: { type: 'string' },
  url: { type: 'string' },
  headers: { type: 'string' },
} as const;

/** `npm run monitor -- COMMAND [--watch SLUG] [--json]` */
async function main(args: string[]): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: OPTIONS, usage: USAGE });
  const [command, ...rest] = positionals;
  if (values.help || command === undefined) return showUsage(USAGE);
  const commands = createMonitorCommands();
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (run === undefined) throw new UsageError(`There is no command ${command}.\n\n${USAGE}`);
  return run({ ...values, rest });
}

await runTool(main);

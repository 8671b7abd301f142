import { readArguments } from './arguments';
import { createMonitorCommands } from './monitor-commands/commands';
import { createTool, showUsage, UsageError, type CommandOutput, type Environment } from './terminal';

const USAGE = `Use: npm run monitor -- COMMAND [--watch SLUG] [--json]

  start                      switch monitoring on
  stop                       switch monitoring off; open alerts are shown as paused
  check                      run a check now, at any hour; it can open or close an alert
  status                     show the state, the daemon, the webhooks and the last alert
  history [--hours N]        list the checks of the last N hours (24), newest first, and their alerts
                             [--limit N] at most N checks (500), [--before ID] only checks older than ID
  settings                   list the monitor's settings
  settings set KEY VALUE     change a setting
  webhook                    list the webhooks, masked
  webhook set URL            set a webhook     [--audience instant|free|admin]
  webhook delete             delete a webhook  [--audience …]
  webhook test               send a test alert [--audience …]
  watch                      list the watches
  watch add --shop NAME --title TITLE --url URL
                             add a watch, stopped [--hours 9-21] [--time-zone Europe/London] [--interval 60]
                             (hours over midnight: --hours 20-2)
  watch set SLUG             change a watch, by the same options
  watch remove SLUG          delete a watch: its alert ends, its messages are edited
  judge                      fetch the page once and judge it; stores and sends nothing
  judge --file PAGE          judge a saved page  [--status N] [--url U] [--headers FILE]

--watch SLUG selects the watch (default: pokemon-center-uk).
--json prints one JSON object as the last line, also when the command fails.`;

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
  shop: { type: 'string' },
  title: { type: 'string' },
  'time-zone': { type: 'string' },
  interval: { type: 'string' },
} as const;

/** `npm run monitor -- COMMAND [--watch SLUG] [--json]` */
async function main(args: string[], environment: Environment): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: OPTIONS, usage: USAGE });
  const [command, ...rest] = positionals;
  if (values.help || command === undefined) return showUsage(USAGE);
  const commands = createMonitorCommands();
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (run === undefined) throw new UsageError(`There is no command ${command}.\n\n${USAGE}`);
  return run({ ...values, rest, environment });
}

export const tool = createTool(main);

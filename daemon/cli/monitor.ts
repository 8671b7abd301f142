import { createProgram } from './command-line';
import { MONITOR_COMMANDS } from './monitor-commands/commands';

/** `npm run monitor -- COMMAND [--watch SLUG] [--json]` */
export const tool = createProgram({
  start: 'npm run monitor --',
  commands: MONITOR_COMMANDS,
  defaults: {
    settings: 'settings list',
    webhook: 'webhook list',
    watch: 'watch list',
    retailer: 'retailer list',
  },
  common: '[--watch SLUG]',
  notes: [
    '--watch SLUG selects the watch (default: pokemon-center-uk).',
    'status ends with 0 when nothing is wrong, and with 1 when its first lines name a fault.',
  ],
});

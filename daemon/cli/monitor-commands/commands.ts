import { createDiscordWebhooks } from '#shared/alerts/discord/discord-webhook.server';
import {
  AUDIENCES,
  deleteWebhook,
  listWebhooks,
  sendTestAlert,
  setWebhook,
  type Audience,
} from '#shared/alerts/webhooks/webhooks';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { systemClock } from '#shared/clock';
import { readConfig, type Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { listMonitorSettings, writeMonitorSetting } from '#shared/monitor/monitor-settings';
import { hoursText } from '#shared/monitor/hours-text';
import { describeHours, parseMonitoringHours } from '#shared/monitor/monitoring-hours';
import { switchMonitoring } from '#shared/monitor/switch-monitoring';
import { readWatch, requireWatch, type Watch } from '#shared/monitor/watches/watches';
import { openKeyring } from '#shared/secrets.server';
import { checkNow } from './check-now';
import { judgeNow } from './judge-now';
import { showHistory } from './show-history';
import { showStatus } from './show-status';
import { watchCommand } from './watch-command';
import {
  formatTable,
  OPERATOR,
  UsageError,
  withDatabase,
  type CommandOutput,
  type Environment,
} from '../terminal';
import { withQueues } from '../with-queues';

export interface CommandInput {
  environment: Environment;
  rest: string[];
  /** Slug of the watch that the command uses. */
  watch?: string | undefined;
  hours?: string | undefined;
  limit?: string | undefined;
  before?: string | undefined;
  audience?: string | undefined;
  file?: string | undefined;
  status?: string | undefined;
  url?: string | undefined;
  headers?: string | undefined;
  shop?: string | undefined;
  title?: string | undefined;
  'time-zone'?: string | undefined;
  interval?: string | undefined;
}

export type Command = (input: CommandInput) => Promise<CommandOutput>;

function readAudience(input: CommandInput): Audience {
  const audience = input.audience ?? 'instant';
  const known = AUDIENCES.find((name) => name === audience);
  if (known === undefined)
    throw new UsageError(`There is no audience ${audience}. Use one of: ${AUDIENCES.join(', ')}.`);
  return known;
}

/** Runs `work` on the watch that the command names, or on the default one. */
function withWatch<T>(
  { environment, watch = DEFAULT_WATCH_ID }: Pick<CommandInput, 'environment' | 'watch'>,
  work: (db: Database, config: Config, watchId: string, stored: Watch) => Promise<T>,
): Promise<T> {
  return withDatabase(environment, async (db, config) => {
    const stored = await requireWatch(db, watch);
    return work(db, config, stored.id, stored);
  });
}

function switchCommand(on: boolean, input: CommandInput): Promise<CommandOutput> {
  return withWatch(input, (db, config, watchId) =>
    withQueues(config, async (queues) => {
      const context = { db, queues, clock: systemClock };
      const { synced, ...result } = await switchMonitoring(context, { on, actor: OPERATOR, watchId });
      const later = synced ? [] : ['Redis does not answer: the daemon will follow as soon as it is back.'];
      return {
        lines: [result.message, ...later],
        json: { success: true, ...result, schedulerFollowed: synced },
      };
    }),
  );
}

function settingsCommand(input: CommandInput): Promise<CommandOutput> {
  return withWatch(input, async (db, _config, watchId) => {
    const [action, key, value] = input.rest;
    if (action === 'set') {
      if (key === undefined || value === undefined)
        throw new UsageError('Use: npm run monitor -- settings set KEY VALUE');
      const row = await writeMonitorSetting(db, {
        key,
        value,
        actor: OPERATOR,
        clock: systemClock,
        watchId,
      });
      return {
        lines: [`${row.setting_key} is now ${row.setting_value === '' ? '(empty)' : row.setting_value}.`],
        json: { success: true, ...row },
      };
    }
    if (action !== undefined && action !== 'list')
      throw new UsageError('Use: npm run monitor -- settings, or: settings set KEY VALUE');
    const { time_zone: timeZone } = await readWatch(db, watchId);
    const { rows, broken } = await listMonitorSettings(db, watchId);
    const hours = parseMonitoringHours(
      rows.find((row) => row.setting_key === 'monitoring_hours')?.setting_value ?? '',
    );
    return {
      lines: [
        formatTable([
          ['setting', 'value'],
          ...rows.map((row) => [row.setting_key, row.setting_value === '' ? '(empty)' : row.setting_value]),
        ]),
        ...(hours === null ? [] : ['', `Watching ${hoursText(describeHours(hours), timeZone)}.`]),
        ...broken.map((name) => `The stored value of ${name} cannot be used; its default is in force.`),
      ],
      json: { success: true, settings: rows, broken },
    };
  });
}

async function webhookCommand(input: CommandInput): Promise<CommandOutput> {
  const [action = 'list', url] = input.rest;
  const audience = readAudience(input);
  return withWatch(input, async (db, config, watchId) => {
    if (action === 'list') {
      const webhooks = await listWebhooks({ db, keyring: openKeyring(config) }, watchId);
      return {
        lines: [
          formatTable([
            ['audience', 'webhook', 'fault'],
            ...webhooks.map((row) => [row.audience, row.webhook ?? '(none)', row.fault ?? '']),
          ]),
        ],
        json: { success: true, webhooks },
      };
    }
    if (action === 'delete') {
      await deleteWebhook(db, { watchId, audience, actor: OPERATOR, clock: systemClock });
      return { lines: [`The ${audience} webhook is forgotten.`], json: { success: true, audience } };
    }
    const discord = createDiscordWebhooks({ appUrl: config.appUrl });
    const context = {
      db,
      keyring: openKeyring(config),
      discord,
      allowedHosts: config.discord.webhookHosts,
      clock: systemClock,
      appUrl: config.appUrl,
    };
    try {
      if (action === 'set') {
        if (url === undefined)
          throw new UsageError('Use: npm run monitor -- webhook set URL [--audience instant|free|admin]');
        await setWebhook(context, { watchId, audience, url, actor: OPERATOR });
        return {
          lines: ['Webhook URL updated successfully!'],
          json: { success: true, audience, message: 'Webhook URL updated successfully!' },
        };
      }
      if (action === 'test') {
        await sendTestAlert(context, audience, watchId);
        return {
          lines: ['Test alert sent successfully!'],
          json: { success: true, audience, message: 'Test alert sent successfully!' },
        };
      }
    } finally {
      await discord.close();
    }
    throw new UsageError(
      'Use: npm run monitor -- webhook [set URL | delete | test] [--audience instant|free|admin]',
    );
  });
}

/** Every command of `npm run monitor` by its name. */
export function createMonitorCommands(): Record<string, Command> {
  return {
    start: (input) => switchCommand(true, input),
    stop: (input) => switchCommand(false, input),
    check: (input) => withWatch(input, checkNow),
    status: (input) =>
      withWatch(input, (db, config, watchId) => showStatus(db, openKeyring(config), watchId)),
    history: (input) => withWatch(input, (db, _config, watchId) => showHistory(db, input, watchId)),
    settings: settingsCommand,
    webhook: webhookCommand,
    watch: watchCommand,
    judge: (input) =>
      input.file === undefined && input.watch !== undefined
        ? withWatch(input, (_db, config, _watchId, watch) => judgeNow(config, input, watch))
        : judgeNow(readConfig(input.environment), input),
  };
}

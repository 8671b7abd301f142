import { createDiscordWebhooks } from '#shared/alerts/discord-webhook.server';
import {
  AUDIENCES,
  deleteWebhook,
  listWebhooks,
  sendTestAlert,
  setWebhook,
  type Audience,
} from '#shared/alerts/webhooks';
import { SECOND, systemClock } from '#shared/clock';
import { readConfig, type Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { listMonitorSettings, writeMonitorSetting } from '#shared/monitor/monitor-settings';
import { describeHours, parseMonitoringHours } from '#shared/monitor/monitoring-hours';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { connectQueues } from '#shared/queues/connection.server';
import { syncScheduler } from '#shared/queues/enqueue';
import { readMonitorSettings } from '#shared/monitor/monitor-settings';
import { openKeyring } from '#shared/session-secret.server';
import { checkNow } from './check-now';
import { judgeNow } from './judge-now';
import { showHistory } from './show-history';
import { showStatus } from './show-status';
import { formatTable, UsageError, withDatabase, type CommandOutput } from './terminal';

export interface CommandInput {
  rest: string[];
  hours?: string | undefined;
  limit?: string | undefined;
  before?: string | undefined;
  audience?: string | undefined;
  file?: string | undefined;
  status?: string | undefined;
  url?: string | undefined;
  headers?: string | undefined;
}

export type Command = (input: CommandInput) => Promise<CommandOutput>;

/** Typed on the machine itself: there is no account behind it. */
const OPERATOR = { userId: null };
const READY_WITHIN_MS = 2 * SECOND;

function readAudience(input: CommandInput): Audience {
  const audience = input.audience ?? 'instant';
  const known = AUDIENCES.find((name) => name === audience);
  if (known === undefined)
    throw new UsageError(`There is no audience ${audience}: it is one of ${AUDIENCES.join(', ')}.`);
  return known;
}

/**
 * Makes the scheduler follow at once. When Redis is away the daemon does it as soon as Redis is back, so the switch
 * itself has succeeded either way. Returns whether it was done.
 */
async function followNow(db: Database, config: Config, running: boolean): Promise<boolean> {
  if (config.redisUrl === null) return false;
  const queues = connectQueues(config.redisUrl);
  try {
    await queues.redis.ping().catch(() => undefined);
    const giveUpAt = performance.now() + READY_WITHIN_MS;
    while (!queues.isReady() && performance.now() < giveUpAt)
      await new Promise((resolve) => setTimeout(resolve, 20));
    if (!queues.isReady()) return false;
    const { intervalSeconds } = await readMonitorSettings(db);
    await syncScheduler(queues, {
      running,
      intervalMs: intervalSeconds * SECOND,
      checking: false,
      now: systemClock.now(),
    });
    return true;
  } finally {
    await queues.close();
  }
}

async function switchMonitoring(on: boolean): Promise<CommandOutput> {
  return withDatabase(async (db, config) => {
    const result = await (on ? startMonitoring : stopMonitoring)(db, { actor: OPERATOR, clock: systemClock });
    const followed = await followNow(db, config, on);
    const later = followed ? [] : ['Redis does not answer: the daemon will follow as soon as it is back.'];
    return {
      lines: [result.message, ...later],
      json: { success: true, ...result, schedulerFollowed: followed },
    };
  });
}

async function settingsCommand({ rest }: CommandInput): Promise<CommandOutput> {
  return withDatabase(async (db) => {
    const [action, key, value] = rest;
    if (action === 'set') {
      if (key === undefined || value === undefined)
        throw new UsageError('Use: npm run monitor -- settings set KEY VALUE');
      const row = await writeMonitorSetting(db, { key, value, actor: OPERATOR, clock: systemClock });
      return {
        lines: [`${row.setting_key} is now ${row.setting_value === '' ? '(empty)' : row.setting_value}.`],
        json: { success: true, ...row },
      };
    }
    if (action !== undefined && action !== 'list')
      throw new UsageError('Use: npm run monitor -- settings, or: settings set KEY VALUE');
    const { rows, broken } = await listMonitorSettings(db);
    const hours = parseMonitoringHours(
      rows.find((row) => row.setting_key === 'monitoring_hours')?.setting_value ?? '',
    );
    return {
      lines: [
        formatTable([
          ['setting', 'value'],
          ...rows.map((row) => [row.setting_key, row.setting_value === '' ? '(empty)' : row.setting_value]),
        ]),
        ...(hours === null ? [] : ['', `Watching UK ${describeHours(hours)}.`]),
        ...broken.map((name) => `The stored value of ${name} cannot be used; its default is in force.`),
      ],
      json: { success: true, settings: rows, broken },
    };
  });
}

async function webhookCommand(input: CommandInput): Promise<CommandOutput> {
  const [action = 'list', url] = input.rest;
  const audience = readAudience(input);
  return withDatabase(async (db, config) => {
    if (action === 'list') {
      const webhooks = await listWebhooks({ db, keyring: openKeyring(config) });
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
      await deleteWebhook(db, { audience, actor: OPERATOR, clock: systemClock });
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
        await setWebhook(context, { audience, url, actor: OPERATOR });
        return {
          lines: ['Webhook URL updated successfully!'],
          json: { success: true, audience, message: 'Webhook URL updated successfully!' },
        };
      }
      if (action === 'test') {
        await sendTestAlert(context, audience);
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
    start: () => switchMonitoring(true),
    stop: () => switchMonitoring(false),
    check: () => withDatabase(checkNow),
    status: () => withDatabase((db, config) => showStatus(db, openKeyring(config))),
    history: (input) => withDatabase((db) => showHistory(db, input)),
    settings: settingsCommand,
    webhook: webhookCommand,
    judge: (input) => judgeNow(readConfig(), input),
  };
}

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
import { DomainError } from '#shared/errors';
import { listMonitorSettings, writeMonitorSetting } from '#shared/monitor/monitor-settings';
import { hoursText } from '#shared/monitor/hours-text';
import { describeHours, parseMonitoringHours } from '#shared/monitor/monitoring-hours';
import { switchMonitoring } from '#shared/monitor/switch-monitoring';
import { readWatch, requireWatch, type Watch } from '#shared/monitor/watches/watches';
import { createRedisPing } from '#shared/queues/redis-ping.server';
import { openKeyring } from '#shared/secrets.server';
import { checkNow } from './check-now';
import { judgeNow } from './judge-now';
import { readPeriod, showHistory } from './show-history';
import { showStatus } from './show-status';
import { WATCH_COMMANDS } from './watch-command';
import { wrongValue } from '../arguments';
import { defineCommand } from '../command-line';
import {
  formatTable,
  OPERATOR,
  UsageError,
  withDatabase,
  type CommandOutput,
  type Environment,
} from '../terminal';
import { withQueues } from '../with-queues';

const WATCH_OPTION = { watch: { type: 'string' } } as const;
const AUDIENCE_OPTIONS = { ...WATCH_OPTION, audience: { type: 'string' } } as const;
const WATCH_USE = '[--watch SLUG]';
const AUDIENCE_USE = `[--audience instant|free|admin] ${WATCH_USE}`;

/** Which watch a command uses. */
interface Selection {
  environment: Environment;
  values: { watch?: string };
}

function readAudience(audience = 'instant'): Audience {
  const known = AUDIENCES.find((name) => name === audience);
  if (known === undefined) throw wrongValue('--audience', audience, `use one of ${AUDIENCES.join(', ')}.`);
  return known;
}

/** Runs `work` on the watch that the command names, or on the default one. */
function withWatch<T>(
  { environment, values: { watch = DEFAULT_WATCH_ID } }: Selection,
  work: (db: Database, config: Config, watchId: string, stored: Watch) => Promise<T>,
): Promise<T> {
  return withDatabase(environment, async (db, config) => {
    const stored = await requireWatch(db, watch);
    return work(db, config, stored.id, stored);
  });
}

/** Why Redis cannot be used, as this command finds it, or null. */
function findRedisFault(config: Config): Promise<string | null> {
  if (config.redisUrl === null) return Promise.resolve(null);
  return withQueues(config, async (queues) => {
    const isWell = queues !== null && (await createRedisPing(queues.redis)());
    return isWell ? null : 'Redis does not answer.';
  });
}

function switchTo(on: boolean, selection: Selection): Promise<CommandOutput> {
  return withWatch(selection, (db, config, watchId) =>
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

function showSettings(selection: Selection): Promise<CommandOutput> {
  return withWatch(selection, async (db, _config, watchId) => {
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

async function changeSetting(selection: Selection, key: string, value: string): Promise<CommandOutput> {
  return withWatch(selection, async (db, _config, watchId) => {
    const context = { actor: OPERATOR, clock: systemClock, watchId };
    const row = await writeMonitorSetting(db, { key, value, ...context }).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.kind !== 'Invalid') throw error;
      throw error.code === 'unknown_setting'
        ? new UsageError(error.message)
        : wrongValue(key, value, error.message);
    });
    return {
      lines: [`${row.setting_key} is now ${row.setting_value === '' ? '(empty)' : row.setting_value}.`],
      json: { success: true, ...row },
    };
  });
}

function showWebhooks(selection: Selection): Promise<CommandOutput> {
  return withWatch(selection, async (db, config, watchId) => {
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
  });
}

/** Runs `work` with what the rules of webhooks need, and closes the connections after it. */
function withDiscord(
  selection: Selection,
  work: (context: Parameters<typeof sendTestAlert>[0], watchId: string) => Promise<CommandOutput>,
): Promise<CommandOutput> {
  return withWatch(selection, async (db, config, watchId) => {
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
      return await work(context, watchId);
    } finally {
      await discord.close();
    }
  });
}

/** A URL for a sentence, without its path, which may hold a token. */
function withoutPath(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed === null || parsed.host === '' ? url : `${parsed.protocol}//${parsed.host}/…`;
}

function saveWebhook(selection: Selection, audience: Audience, url: string): Promise<CommandOutput> {
  return withDiscord(selection, async (context, watchId) => {
    await setWebhook(context, { watchId, audience, url, actor: OPERATOR }).catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'invalid_webhook'
        ? wrongValue('the URL', withoutPath(url), error.message)
        : error;
    });
    const message = 'Webhook URL updated successfully!';
    return { lines: [message], json: { success: true, audience, message } };
  });
}

/** Every command of `npm run monitor` by its name. */
export const MONITOR_COMMANDS = {
  start: defineCommand({
    use: `start ${WATCH_USE}`,
    help: ['start monitoring'],
    options: WATCH_OPTION,
    run: (input) => switchTo(true, input),
  }),
  stop: defineCommand({
    use: `stop ${WATCH_USE}`,
    help: ['stop monitoring; open alerts are shown as suspended'],
    options: WATCH_OPTION,
    run: (input) => switchTo(false, input),
  }),
  check: defineCommand({
    use: `check ${WATCH_USE}`,
    help: [
      'run a check now, at any hour; it can open or close an alert. Waits at most ten seconds, and says',
      'why there is no result by then',
    ],
    options: WATCH_OPTION,
    run: (input) =>
      withWatch(input, (db, config, watchId) => checkNow(db, config, { watchId, note: input.note })),
  }),
  status: defineCommand({
    use: `status ${WATCH_USE}`,
    help: [
      'show what is wrong, then the state, the daemon, the webhooks and the last alert; the exit code is',
      '0 when nothing is wrong, else 1',
    ],
    options: WATCH_OPTION,
    run: (input) =>
      withWatch(input, (db, config, watchId) =>
        showStatus(db, openKeyring(config), watchId, () => findRedisFault(config)),
      ),
  }),
  history: defineCommand({
    use: `history [--hours N] [--limit N] [--before ID] ${WATCH_USE}`,
    help: [
      'list the checks of the last N hours (24), newest first, and their alerts: at most --limit checks',
      '(500), only those older than the check ID',
    ],
    options: {
      ...WATCH_OPTION,
      hours: { type: 'string' },
      limit: { type: 'string' },
      before: { type: 'string' },
    },
    run: (input) => {
      readPeriod(input.values);
      return withWatch(input, (db, _config, watchId) => showHistory(db, input.values, watchId));
    },
  }),
  'settings list': defineCommand({
    use: `settings [list] ${WATCH_USE}`,
    help: ["list the monitor's settings"],
    options: WATCH_OPTION,
    run: showSettings,
  }),
  'settings set': defineCommand({
    use: `settings set KEY VALUE ${WATCH_USE}`,
    help: ['change a setting'],
    needs: ['key', 'value'],
    options: WATCH_OPTION,
    run: (input) => changeSetting(input, input.needed[0], input.needed[1]),
  }),
  'webhook list': defineCommand({
    use: `webhook [list] ${WATCH_USE}`,
    help: ['list the webhooks, masked'],
    options: WATCH_OPTION,
    run: showWebhooks,
  }),
  'webhook set': defineCommand({
    use: `webhook set URL ${AUDIENCE_USE}`,
    help: ['set a webhook (instant)'],
    needs: ['URL'],
    options: AUDIENCE_OPTIONS,
    run: (input) => saveWebhook(input, readAudience(input.values.audience), input.needed[0]),
  }),
  'webhook delete': defineCommand({
    use: `webhook delete ${AUDIENCE_USE}`,
    help: ['delete a webhook'],
    options: AUDIENCE_OPTIONS,
    run: (input) => {
      const audience = readAudience(input.values.audience);
      return withWatch(input, async (db, _config, watchId) => {
        await deleteWebhook(db, { watchId, audience, actor: OPERATOR, clock: systemClock });
        return { lines: [`The ${audience} webhook is deleted.`], json: { success: true, audience } };
      });
    },
  }),
  'webhook test': defineCommand({
    use: `webhook test ${AUDIENCE_USE}`,
    help: ['send a test alert'],
    options: AUDIENCE_OPTIONS,
    run: (input) => {
      const audience = readAudience(input.values.audience);
      return withDiscord(input, async (context, watchId) => {
        await sendTestAlert(context, audience, watchId);
        const message = 'Test alert sent successfully!';
        return {
          lines: [message, `It went to the channel of the ${audience} webhook.`],
          json: { success: true, audience, message },
        };
      });
    },
  }),
  ...WATCH_COMMANDS,
  judge: defineCommand({
    use: `judge [--file PAGE [--status N] [--url U] [--headers FILE]] ${WATCH_USE}`,
    help: ['fetch the page once, or read a saved one, and judge it; stores and sends nothing'],
    options: {
      ...WATCH_OPTION,
      file: { type: 'string' },
      status: { type: 'string' },
      url: { type: 'string' },
      headers: { type: 'string' },
    },
    run: (input) =>
      input.values.file === undefined && input.values.watch !== undefined
        ? withWatch(input, (_db, config, _watchId, watch) => judgeNow(config, input.values, watch))
        : judgeNow(readConfig(input.environment), input.values),
  }),
};

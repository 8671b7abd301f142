import { webhookOperations } from '#shared/alerts/webhooks/webhook-operations';
import { createDiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import {
  AUDIENCES,
  listRetailerWebhooks,
  listWebhooks,
  RETAILER_AUDIENCES,
  type Audience,
  type WebhookContext,
} from '#shared/alerts/webhooks/webhooks';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import type { Clock } from '#shared/clock';
import { readConfig, type Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import { DomainError } from '#shared/errors';
import { monitorOperations } from '#shared/monitor/monitor-operations';
import { listMonitorSettings } from '#shared/monitor/monitor-settings';
import { hoursText } from '#shared/monitor/hours-text';
import { describeHours, parseMonitoringHours } from '#shared/monitor/monitoring-hours';
import { requireRetailer } from '#shared/monitor/products/retailers';
import { readWatch, requireWatch, type Watch } from '#shared/monitor/watches/watches';
import { createRedisPing } from '#shared/queues/redis-ping.server';
import { openKeyring } from '#shared/secrets.server';
import { checkNow } from './check-now';
import { judgeCases } from './judge-cases';
import { judgeNow } from './judge-now';
import { readPeriod, showHistory } from './show-history';
import { PRODUCT_COMMANDS } from './product-command';
import { describeWebhook, showStatus } from './show-status';
import { WATCH_COMMANDS } from './watch-command';
import { wrongValue } from '../arguments';
import { defineCommand } from '../command-line';
import { runOperation } from '../run-operation';
import { formatTable, UsageError, withDatabase, type CommandOutput, type Environment } from '../terminal';
import { withQueues } from '../with-queues';

const WATCH_OPTION = { watch: { type: 'string' } } as const;
const WEBHOOK_OPTIONS = { ...WATCH_OPTION, retailer: { type: 'string' } } as const;
const AUDIENCE_OPTIONS = { ...WEBHOOK_OPTIONS, audience: { type: 'string' } } as const;
const WATCH_USE = '[--watch SLUG]';
const WEBHOOK_USE = '[--watch SLUG | --retailer HOST]';
const AUDIENCE_USE = `[--audience instant|free|admin] ${WEBHOOK_USE}`;

/** The option for a command's watch. */
interface Selection {
  environment: Environment;
  values: { watch?: string };
}

/** The options for a command's webhook. */
interface WebhookSelection extends Selection {
  values: Selection['values'] & { retailer?: string; audience?: string };
}

function readAudience({ audience = 'instant', retailer }: WebhookSelection['values']): Audience {
  const possible: readonly Audience[] = retailer === undefined ? AUDIENCES : RETAILER_AUDIENCES;
  const known = possible.find((name) => name === audience);
  if (known === undefined) throw wrongValue('--audience', audience, `use one of ${possible.join(', ')}.`);
  return known;
}

type WebhookOwner = { watchId: string } | { retailerId: string };

/** Runs `work` on the retailer or the watch that the command names, or on the default watch. */
function withOwner(
  selection: WebhookSelection,
  work: (target: Pick<Target, 'db' | 'config' | 'clock'>, owner: WebhookOwner) => Promise<CommandOutput>,
): Promise<CommandOutput> {
  const { retailer: host, watch } = selection.values;
  if (host === undefined) return withWatch(selection, ({ watchId, ...target }) => work(target, { watchId }));
  if (watch !== undefined) throw new UsageError('--watch and --retailer exclude each other.');
  return withDatabase(selection.environment, async (db, config, clock) =>
    work({ db, config, clock }, { retailerId: (await requireRetailer(db, host)).id }),
  );
}

/** The target of a command. */
interface Target {
  db: Database;
  config: Config;
  clock: Clock;
  watchId: string;
  watch: Watch;
}

/** Runs `work` on the watch that the command names, or on the default one. */
function withWatch<T>(
  { environment, values: { watch: slug = DEFAULT_WATCH_ID } }: Selection,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  return withDatabase(environment, async (db, config, clock) => {
    const watch = await requireWatch(db, slug);
    return work({ db, config, clock, watchId: watch.id, watch });
  });
}

/** Why this command cannot use Redis, or null. */
function findRedisFault(config: Config): Promise<string | null> {
  if (config.redisUrl === null) return Promise.resolve(null);
  return withQueues(config, async (queues) => {
    const isWell = queues !== null && (await createRedisPing(queues.redis)());
    return isWell ? null : 'Redis does not answer.';
  });
}

function switchTo(to: 'start' | 'stop', selection: Selection): Promise<CommandOutput> {
  return withWatch(selection, ({ db, config, clock, watchId }) =>
    withQueues(config, async (queues) => {
      const context = { db, queues, clock };
      const { result, message } = await runOperation(monitorOperations[to], context, { watchId });
      const { changed, synced } = result;
      const later = synced
        ? []
        : ['Redis does not answer: the daemon applies the change once Redis is back.'];
      return {
        lines: [message, ...later],
        json: { success: true, changed, message, schedulerFollowed: synced },
      };
    }),
  );
}

function showSettings(selection: Selection): Promise<CommandOutput> {
  return withWatch(selection, async ({ db, watchId }) => {
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
  return withWatch(selection, async ({ db, clock, watchId }) => {
    const context = { db, clock };
    const settings = [{ setting_key: key, setting_value: value }];
    const changing = runOperation(monitorOperations.changeSettings, context, { watchId, settings });
    const { result, message } = await changing.catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.kind !== 'Invalid') throw error;
      throw error.code === 'unknown_setting'
        ? new UsageError(error.message)
        : wrongValue(key, value, error.message);
    });
    return { lines: [message], json: { success: true, ...result.settings[0] } };
  });
}

function showWebhooks(selection: WebhookSelection): Promise<CommandOutput> {
  return withOwner(selection, async ({ db, config }, owner) => {
    const context = { db, keyring: openKeyring(config) };
    const webhooks = await ('watchId' in owner
      ? listWebhooks(context, owner.watchId)
      : listRetailerWebhooks(context, owner.retailerId));
    return {
      lines: [
        formatTable([
          ['audience', 'webhook', 'fault'],
          ...webhooks.map((row) => [row.audience, describeWebhook(row), row.fault ?? '']),
        ]),
      ],
      json: { success: true, webhooks },
    };
  });
}

/** Runs `work` with the context for webhook operations, then closes its connections. */
function withDiscord(
  selection: WebhookSelection,
  work: (context: WebhookContext & { appUrl: string }, owner: WebhookOwner) => Promise<CommandOutput>,
): Promise<CommandOutput> {
  return withOwner(selection, async ({ db, config, clock }, owner) => {
    const discord = createDiscordWebhooks({ appUrl: config.appUrl });
    const context = {
      db,
      keyring: openKeyring(config),
      discord,
      allowedHosts: config.discord.webhookHosts,
      clock,
      appUrl: config.appUrl,
    };
    try {
      return await work(context, owner);
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

function saveWebhook(selection: WebhookSelection, url: string): Promise<CommandOutput> {
  const audience = readAudience(selection.values);
  return withDiscord(selection, async (context, owner) => {
    const webhook = { ...owner, audience, webhook_url: url };
    const setting = runOperation(webhookOperations.set, context, webhook);
    const { message } = await setting.catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'invalid_webhook'
        ? wrongValue('the URL', withoutPath(url), error.message)
        : error;
    });
    return { lines: [message], json: { success: true, audience, message } };
  });
}

/** Every command of `npm run monitor` by its name. */
export const MONITOR_COMMANDS = {
  start: defineCommand({
    use: `start ${WATCH_USE}`,
    help: ['start monitoring'],
    options: WATCH_OPTION,
    run: (input) => switchTo('start', input),
  }),
  stop: defineCommand({
    use: `stop ${WATCH_USE}`,
    help: ['stop monitoring; open alerts are shown as paused'],
    options: WATCH_OPTION,
    run: (input) => switchTo('stop', input),
  }),
  check: defineCommand({
    use: `check ${WATCH_USE}`,
    help: [
      'run a check now, at any hour; it can open or close an alert. Waits at most 30 seconds, and says',
      'why there is no result by then',
    ],
    options: WATCH_OPTION,
    run: (input) =>
      withWatch(input, ({ config, watchId, ...target }) =>
        checkNow(target, config, { watchId, note: input.note }),
      ),
  }),
  status: defineCommand({
    use: `status ${WATCH_USE}`,
    help: [
      'show what is wrong, then the state, the daemon, the webhooks and the last alert; the exit code is',
      '0 when nothing is wrong, else 1',
    ],
    options: WATCH_OPTION,
    run: (input) =>
      withWatch(input, ({ config, watchId, ...target }) =>
        showStatus(target, openKeyring(config), watchId, () => findRedisFault(config)),
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
      return withWatch(input, ({ watchId, ...target }) => showHistory(target, input.values, watchId));
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
    use: `webhook [list] ${WEBHOOK_USE}`,
    help: ['list the webhooks, masked'],
    options: WEBHOOK_OPTIONS,
    run: showWebhooks,
  }),
  'webhook set': defineCommand({
    use: `webhook set URL ${AUDIENCE_USE}`,
    help: ['set a webhook (instant); that of a retailer serves products whose watch has none'],
    needs: ['URL'],
    options: AUDIENCE_OPTIONS,
    run: (input) => saveWebhook(input, input.needed[0]),
  }),
  'webhook delete': defineCommand({
    use: `webhook delete ${AUDIENCE_USE}`,
    help: ['delete a webhook'],
    options: AUDIENCE_OPTIONS,
    run: (input) => {
      const audience = readAudience(input.values);
      return withOwner(input, async ({ db, clock }, owner) => {
        const context = { db, clock };
        const { message } = await runOperation(webhookOperations.remove, context, { ...owner, audience });
        return { lines: [message], json: { success: true, audience, message } };
      });
    },
  }),
  'webhook test': defineCommand({
    use: `webhook test ${AUDIENCE_USE}`,
    help: ['send a test alert'],
    options: AUDIENCE_OPTIONS,
    run: (input) => {
      const audience = readAudience(input.values);
      return withDiscord(input, async (context, owner) => {
        const { message } = await runOperation(webhookOperations.test, context, { ...owner, audience });
        return {
          lines: [message, `It went to the channel of the ${audience} webhook.`],
          json: { success: true, audience, message },
        };
      });
    },
  }),
  ...WATCH_COMMANDS,
  ...PRODUCT_COMMANDS,
  judge: defineCommand({
    use: `judge [--cases] [--kind product] [--file PAGE [--status N] [--url U] [--requested U] [--headers FILE]] ${WATCH_USE}`,
    help: [
      'fetch the page once, or read a saved one, and judge it; stores and sends nothing. --kind product',
      'judges a product page. --requested: the URL that redirected to the one of --url. --cases judges the pages',
      'that admins said were judged wrongly, and says which are right',
    ],
    options: {
      ...WATCH_OPTION,
      cases: { type: 'boolean' },
      kind: { type: 'string' },
      requested: { type: 'string' },
      file: { type: 'string' },
      status: { type: 'string' },
      url: { type: 'string' },
      headers: { type: 'string' },
    },
    run: (input) => {
      const { cases = false, ...values } = input.values;
      if (cases && Object.keys(values).some((name) => name !== 'json'))
        throw new UsageError('--cases takes no other option.');
      if (cases) return withDatabase(input.environment, (db) => judgeCases(db));
      return values.file === undefined && values.watch !== undefined
        ? withWatch(input, ({ config, watch }) => judgeNow(config, values, watch))
        : judgeNow(readConfig(input.environment), values);
    },
  }),
};

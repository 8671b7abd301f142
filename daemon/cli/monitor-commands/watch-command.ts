import type { z } from 'zod';
import { createDiscordWebhooks } from '#shared/alerts/discord/discord-webhook.server';
import { systemClock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { DomainError } from '#shared/errors';
import { addWatch, type SavedWatch, type WatchContext } from '#shared/monitor/watches/add-watch.server';
import { changeWatch } from '#shared/monitor/watches/change-watch.server';
import { describeWatch, listDescribedWatches } from '#shared/monitor/watches/describe-watch';
import { removeWatch } from '#shared/monitor/watches/remove-watch.server';
import { newWatchFields, watchFields } from '#shared/monitor/watches/watch-fields';
import { requireWatch } from '#shared/monitor/watches/watches';
import { createPublicWeb } from '#shared/network/public-web.server';
import { openKeyring } from '#shared/secrets.server';
import { terminalLine } from '#shared/terminal-text';
import {
  formatAge,
  formatTable,
  OPERATOR,
  UsageError,
  withDatabase,
  type CommandOutput,
  type Environment,
} from '../terminal';
import { withQueues } from '../with-queues';

interface WatchInput {
  environment: Environment;
  rest: string[];
  shop?: string | undefined;
  title?: string | undefined;
  url?: string | undefined;
  hours?: string | undefined;
  'time-zone'?: string | undefined;
  interval?: string | undefined;
}

const USAGE = `Use: npm run monitor -- watch [list]
     npm run monitor -- watch add --shop NAME --title TITLE --url URL [--hours 9-21] [--time-zone ZONE] [--interval SECONDS]
     npm run monitor -- watch set SLUG, with any of these options
     npm run monitor -- watch remove SLUG`;

/** The name of each field's option. */
const OPTIONS = {
  shop: 'shop',
  title: 'title',
  url: 'url',
  hours: 'hours',
  timeZone: 'time-zone',
  intervalSeconds: 'interval',
} as const;

/** The fields among the options. Throws `Invalid` with the option of the first one that is wrong. */
function readFields<Schema extends z.ZodType>(schema: Schema, input: WatchInput): z.output<Schema> {
  const given = Object.entries(OPTIONS).flatMap(([field, option]) => {
    const text = input[option];
    if (text === undefined) return [];
    return [[field, field === 'intervalSeconds' && /^\d{1,6}$/.test(text) ? Number(text) : text]];
  });
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const option = OPTIONS[issue?.path[0] as keyof typeof OPTIONS];
  throw new DomainError('Invalid', { code: 'invalid_watch', message: `--${option}: ${issue?.message}` });
}

/** Runs `work` with what the rules of watches need, and closes the connections after it. */
async function withWatches<T>(
  environment: Environment,
  work: (context: WatchContext) => Promise<T>,
): Promise<T> {
  return withDatabase(environment, (db: Database, config: Config) =>
    withQueues(config, async (queues) => {
      const discord = createDiscordWebhooks({ appUrl: config.appUrl });
      const web = createPublicWeb({ allowedPrivateHosts: config.allowedPrivateHosts });
      try {
        return await work({
          db,
          keyring: openKeyring(config),
          discord,
          allowedHosts: config.discord.webhookHosts,
          web,
          targetUrl: config.monitor.targetUrl,
          queues,
          clock: systemClock,
        });
      } finally {
        await Promise.all([discord.close(), web.close()]);
      }
    }),
  );
}

async function showList(context: WatchContext): Promise<CommandOutput> {
  const watches = await listDescribedWatches(context);
  const now = context.clock.now();
  const rows = watches.map((watch) => [
    watch.slug,
    watch.running ? `every ${watch.intervalSeconds} s` : 'stopped',
    `${watch.hours} ${watch.timeZone}`,
    watch.state,
    formatAge(watch.lastCheck, now),
    watch.url,
  ]);
  return {
    lines: [formatTable([['watch', 'checks', 'hours', 'state', 'last check', 'page'], ...rows])],
    json: { success: true, watches },
  };
}

async function reply(context: WatchContext, saved: SavedWatch, line: string): Promise<CommandOutput> {
  const { pageFault } = saved;
  const watch = await describeWatch(context, saved);
  return {
    lines: [line, ...(pageFault === null ? [] : [`Its page cannot be read now: ${terminalLine(pageFault)}`])],
    json: { success: true, watch, ...(pageFault === null ? {} : { pageFault }) },
  };
}

/** `watch list | add | set SLUG | remove SLUG`: the watches themselves. */
export function watchCommand(input: WatchInput): Promise<CommandOutput> {
  const [action = 'list', slug] = input.rest;
  const isKnown = action === 'list' || action === 'add' || action === 'set' || action === 'remove';
  const needsSlug = action === 'set' || action === 'remove';
  if (!isKnown || (slug === undefined) === needsSlug || input.rest.length > 2) throw new UsageError(USAGE);
  return withWatches(input.environment, async (context) => {
    if (action === 'list') return showList(context);
    if (slug === undefined) {
      const fields = readFields(newWatchFields, input);
      const added = await addWatch(context, { fields, actor: OPERATOR });
      return reply(
        context,
        added,
        `Added ${added.slug}, stopped. Start it with "npm run monitor -- start --watch ${added.slug}".`,
      );
    }
    const watch = await requireWatch(context.db, slug);
    if (action === 'remove') {
      await removeWatch(context, { watch, actor: OPERATOR });
      return {
        lines: [`Deleted ${slug}. The messages of an open alert are edited.`],
        json: { success: true, slug },
      };
    }
    const changes = readFields(watchFields.partial(), input);
    if (Object.keys(changes).length === 0) throw new UsageError(USAGE);
    const changed = await changeWatch(context, { watch, changes, actor: OPERATOR });
    return reply(context, changed, `Changed ${slug}.`);
  });
}

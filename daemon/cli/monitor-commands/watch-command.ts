import type { z } from 'zod';
import { createDiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import type { Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import type { SavedWatch, WatchContext } from '#shared/monitor/watches/add-watch.server';
import {
  describeWatch,
  listDescribedWatches,
  type DescribedOffer,
} from '#shared/monitor/watches/describe-watch';
import { newWatchFields, watchFields, type NewWatch } from '#shared/monitor/watches/watch-fields';
import { watchChanges, watchOperations } from '#shared/monitor/watches/watch-operations';
import { createPublicWeb } from '#shared/network/public-web.server';
import { openKeyring } from '#shared/secrets.server';
import { terminalLine } from '#shared/terminal-text';
import { asSwitch, quoteValue, wrongValue } from '../arguments';
import { defineCommand } from '../command-line';
import { formatAge } from '../local-time';
import { runOperation } from '../run-operation';
import { formatTable, UsageError, withDatabase, type CommandOutput, type Environment } from '../terminal';
import { withQueues } from '../with-queues';
import { VERDICT_WORDS } from './show-status';

const OPTIONS = {
  shop: { type: 'string' },
  title: { type: 'string' },
  url: { type: 'string' },
  hours: { type: 'string' },
  'time-zone': { type: 'string' },
  interval: { type: 'string' },
} as const;

/** The options of a watch of a product as well. */
const CHANGE_OPTIONS = {
  ...OPTIONS,
  'robots-permission': { type: 'string' },
  'paid-fetch': { type: 'string' },
} as const;

/** The options of a change. */
const SET_OPTIONS = { ...CHANGE_OPTIONS, 'member-role': { type: 'string' } } as const;

/** The options of the new watch of a product. */
const PRODUCT_OPTIONS = {
  ...CHANGE_OPTIONS,
  product: { type: 'string' },
  brand: { type: 'string' },
  gtin: { type: 'string' },
  image: { type: 'string' },
  variant: { type: 'string' },
  'fetch-as': { type: 'string' },
} as const;

type Values = { [Name in keyof typeof PRODUCT_OPTIONS | keyof typeof SET_OPTIONS]?: string };

/** The name of each field's option. */
const OPTION_OF = {
  shop: 'shop',
  title: 'title',
  url: 'url',
  hours: 'hours',
  timeZone: 'time-zone',
  intervalSeconds: 'interval',
  productSlug: 'product',
  brand: 'brand',
  gtin: 'gtin',
  imageUrl: 'image',
  variantKey: 'variant',
  robotsPermission: 'robots-permission',
  fetchAs: 'fetch-as',
  paidFetch: 'paid-fetch',
  memberRole: 'member-role',
} as const;

/** The fields among the options. Throws a `UsageError` with the option of the first one that is wrong. */
function readFields<Schema extends z.ZodType>(schema: Schema, values: Values): z.output<Schema> {
  const given = Object.entries(OPTION_OF).flatMap(([field, option]) => {
    const text = values[option];
    if (text === undefined) return [];
    const isCount = field === 'intervalSeconds' && /^\d{1,6}$/.test(text);
    return [[field, isCount ? Number(text) : field === 'paidFetch' ? asSwitch(text) : text] as const];
  });
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const option = OPTION_OF[issue?.path[0] as keyof typeof OPTION_OF];
  const text = values[option];
  if (text === undefined) throw new UsageError(`--${option} is missing.`);
  throw wrongValue(`--${option}`, text, issue?.message ?? 'it is wrong.');
}

/** Runs `work` with what the rules of watches need, and closes the connections that it opens. */
export async function withWatchContext<T>(
  { db, config, clock }: { db: Database; config: Config; clock: Clock },
  work: (context: WatchContext) => Promise<T>,
): Promise<T> {
  return withQueues(config, async (queues) => {
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
        clock,
      });
    } finally {
      await Promise.all([discord.close(), web.close()]);
    }
  });
}

function withWatches<T>(environment: Environment, work: (context: WatchContext) => Promise<T>): Promise<T> {
  return withDatabase(environment, (db, config, clock) => withWatchContext({ db, config, clock }, work));
}

/** The settled state of an offer. */
function offerState({ availability, discontinuedAt }: DescribedOffer): string {
  return discontinuedAt === null ? (availability ?? 'unknown') : 'no longer sold';
}

async function showList(context: WatchContext): Promise<CommandOutput> {
  const watches = await listDescribedWatches(context);
  const now = context.clock.now();
  const rows = watches.map((watch) => [
    watch.slug,
    watch.running ? `every ${watch.intervalSeconds} s` : 'stopped',
    `${watch.hours} ${watch.timeZone}`,
    watch.product === null ? VERDICT_WORDS[watch.state] : offerState(watch.product),
    formatAge(watch.lastCheck, now),
    watch.url,
  ]);
  return {
    lines: [formatTable([['watch', 'checks', 'hours', 'state', 'last check', 'page'], ...rows])],
    json: { success: true, watches },
  };
}

async function reply(
  context: WatchContext,
  { result: saved, message }: { result: SavedWatch; message: string },
): Promise<{ lines: string[]; json: Record<string, unknown> }> {
  const { pageFault } = saved;
  const watch = await describeWatch(context, saved);
  return {
    lines: [terminalLine(message)],
    json: { success: true, watch, message, ...(pageFault === null ? {} : { pageFault }) },
  };
}

const PRODUCT_USE = '[--robots-permission TEXT] [--paid-fetch yes|no]';
const OPTIONAL_USE = '[--hours 9-21] [--time-zone Europe/London] [--interval 60]';

function addWatch(environment: Environment, fields: NewWatch): Promise<CommandOutput> {
  return withWatches(environment, async (context) => {
    const added = await runOperation(watchOperations.add, context, fields);
    const { lines, json } = await reply(context, added);
    const start = `Start it with "npm run monitor -- start --watch ${added.result.slug}".`;
    return { lines: [...lines, start], json };
  });
}

/** `watch list | add | set SLUG | remove SLUG`, `product add`: the watches themselves. */
export const WATCH_COMMANDS = {
  'watch list': defineCommand({
    use: 'watch [list]',
    help: ['list the watches'],
    run: ({ environment }) => withWatches(environment, showList),
  }),
  'watch add': defineCommand({
    use: `watch add --shop NAME --title TITLE --url URL ${OPTIONAL_USE}`,
    help: ['add a watch of a waiting room, stopped'],
    options: OPTIONS,
    run: ({ values, environment }) => {
      readFields(watchFields.pick({ shop: true, title: true }), values);
      return addWatch(environment, readFields(newWatchFields, values));
    },
  }),
  'product add': defineCommand({
    use: `product add --url URL [--title TITLE | --product SLUG | --gtin DIGITS] [--brand NAME] [--shop NAME] [--image ADDRESS] [--variant KEY] [--fetch-as page|shopify_json|woo_store_api] ${PRODUCT_USE} ${OPTIONAL_USE}`,
    help: [
      'add a watch of a product, stopped. --title names a new product, --product or --gtin one that exists;',
      '--variant is the variant that counts, by default the best of all; --fetch-as is what a check reads;',
      '--robots-permission says who permitted the checks of a page that robots.txt forbids, and when;',
      '--paid-fetch yes reads the page through Scrappey, within the daily limit',
    ],
    options: PRODUCT_OPTIONS,
    run: ({ values, environment }) =>
      addWatch(environment, { ...readFields(newWatchFields, values), kind: 'product' }),
  }),
  'watch set': defineCommand({
    use: `watch set SLUG [--shop NAME] [--title TITLE] [--url URL] ${OPTIONAL_USE} [--member-role ID] ${PRODUCT_USE}`,
    help: [
      'change a watch; --robots-permission and --paid-fetch are of products;',
      '--member-role is the Discord role of the members who want its alerts, empty for none',
    ],
    needs: ['slug'],
    options: SET_OPTIONS,
    run: ({ needed: [slug], values, environment }) => {
      const changes = readFields(watchChanges, values);
      if (Object.keys(changes).length === 0)
        throw new UsageError(`Name what to change of ${quoteValue(slug)}, by an option.`);
      return withWatches(environment, async (context) => {
        const changed = await runOperation(watchOperations.change, context, { slug, ...changes });
        return reply(context, changed);
      });
    },
  }),
  'watch remove': defineCommand({
    use: 'watch remove SLUG',
    help: ['delete a watch: its alert ends, its messages are edited'],
    needs: ['slug'],
    run: ({ needed: [slug], environment }) =>
      withWatches(environment, async (context) => {
        const { message } = await runOperation(watchOperations.remove, context, { slug });
        return {
          lines: [message, 'The messages of an open alert are edited.'],
          json: { success: true, slug, message },
        };
      }),
  }),
};

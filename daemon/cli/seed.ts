import { AUDIENCES, type Audience } from '#shared/alerts/webhooks/webhooks';
import { openWebhook, sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { toIso, type Clock } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/schema';
import { inTransaction } from '#shared/database/transaction';
import { writeMonitorSettings } from '#shared/monitor/monitor-settings';
import { startMonitoring } from '#shared/monitor/start-stop';
import { readWatch } from '#shared/monitor/watches/watches';
import { createPaymentsContext } from '#shared/payments/create-payments-context.server';
import { openKeyring } from '#shared/secrets.server';
import { openStorage } from '#shared/storage/open-storage.server';
import { addDemoImages } from './demo/demo-images';
import { addDemoMembers, type DemoMembers } from './demo/demo-members';
import { addDemoNews } from './demo/demo-news';
import { addDemoProducts } from './demo/demo-products';
import { readEmail, wrongValue } from './arguments';
import { createProgram, defineCommand } from './command-line';
import { withWatchContext } from './monitor-commands/watch-command';
import { OPERATOR, withDatabase, type CommandOutput } from './terminal';

const OPTIONS = {
  instant: { type: 'string' },
  free: { type: 'string' },
  admin: { type: 'string' },
  'member-pro': { type: 'string' },
  'member-free': { type: 'string' },
  shop: { type: 'string' },
} as const;

/** All day, so that a demo alert can arrive at any hour. */
const DEMO_HOURS = '0-24';
/** Used only for a shop on this machine. */
const DEMO_INTERVAL_SECONDS = '15';

function isOnThisMachine(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/**
 * The value of the setting `demo_data`: the hash of each webhook that a seed wrote, and whether it added the news and the
 * products.
 */
type Marker = Partial<Record<Audience, string>> & { news?: true; products?: true };

/**
 * Writes the sandbox's webhooks. A webhook that an operator has set stays.
 * @returns the hashes of the webhooks that were written
 */
async function writeWebhooks(
  db: Database,
  config: Config,
  clock: Clock,
  { webhooks, seeded }: { webhooks: Partial<Record<Audience, string | undefined>>; seeded: Marker },
): Promise<Marker> {
  const keyring = openKeyring(config);
  const written: Marker = {};
  // Earlier releases stored the URL itself in place of its hash.
  const isSeeded = (sealed: string, hash: string | undefined): boolean => {
    const url = openWebhook(keyring, sealed);
    if (url === null || hash === undefined) return false;
    return hash === url || keyring.matches('webhook', url, hash);
  };
  for (const audience of AUDIENCES) {
    const url = webhooks[audience];
    if (url === undefined) continue;
    const stored = await db
      .selectFrom('webhooks')
      .select('sealed_url')
      .where('watch_id', '=', DEFAULT_WATCH_ID)
      .where('audience', '=', audience)
      .executeTakeFirst();
    if (stored !== undefined && !isSeeded(stored.sealed_url, seeded[audience])) continue;
    const updatedAt = toIso(clock.now());
    const row = { sealed_url: sealWebhook(keyring, url), state: 'trusted' as const, updated_at: updatedAt };
    await inTransaction(db, (trx) =>
      trx
        .insertInto('webhooks')
        .values({ watch_id: DEFAULT_WATCH_ID, audience, ...row })
        .onConflict((conflict) => conflict.columns(['watch_id', 'audience']).doUpdateSet(row))
        .execute(),
    );
    written[audience] = keyring.hash('webhook', url);
  }
  return written;
}

/** Starts monitoring around the clock, often when the shop is on this machine. */
async function startDemoMonitoring(db: Database, config: Config, clock: Clock): Promise<void> {
  const context = { actor: OPERATOR, clock };
  const settings = [{ setting_key: 'monitoring_hours', setting_value: DEMO_HOURS }];
  if (isOnThisMachine(config.monitor.targetUrl))
    settings.push({ setting_key: 'check_interval_seconds', setting_value: DEMO_INTERVAL_SECONDS });
  await writeMonitorSettings(db, { settings, ...context });
  if ((await readWatch(db)).running === 0) await startMonitoring(db, context);
}

/**
 * Writes demo data once: monitoring runs around the clock, and there are watched products of the sandbox's `shop`, news
 * articles and members. `webhooks` belong to the sandbox and are written on every run, because its address can change.
 */
async function seed(
  db: Database,
  config: Config,
  clock: Clock,
  {
    webhooks,
    members,
    shop,
  }: {
    webhooks: Partial<Record<Audience, string | undefined>>;
    members: DemoMembers;
    shop: string | undefined;
  },
): Promise<CommandOutput> {
  const marker = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', 'demo_data')
    .executeTakeFirst();
  const before = JSON.parse(marker?.value ?? '{}') as Marker;
  const seeded = { ...before, ...(await writeWebhooks(db, config, clock, { webhooks, seeded: before })) };
  if (marker === undefined) await startDemoMonitoring(db, config, clock);
  const isProductsDue = shop !== undefined && seeded.products !== true;
  const products = isProductsDue
    ? await withWatchContext({ db, config, clock }, (context) => addDemoProducts(context, shop))
    : [];
  // One transaction for articles and marker: after a crash in between, the missing articles would never be added.
  const articleIds = await inTransaction(db, async (trx) => {
    const written = seeded.news === true ? [] : await addDemoNews(trx, { clock });
    const now = toIso(clock.now());
    const value = JSON.stringify({ ...seeded, news: true, ...(isProductsDue && { products: true }) });
    await trx
      .insertInto('settings')
      .values({
        key: 'demo_data',
        value,
        description: 'Demo data was given to this database; the webhooks are the sandbox’s.',
        updated_at: now,
      })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: now }))
      .execute();
    return written;
  });
  const storage = openStorage(config, 'uploads');
  await addDemoImages({ db, storage, clock }, articleIds);
  // The demo buys nothing at the real Stripe, not even in its test mode.
  const stripe = config.stripe !== null && isOnThisMachine(config.stripe.apiUrl) ? config.stripe : null;
  const added = await addDemoMembers(createPaymentsContext(db, { ...config, stripe }, clock), members);
  const message =
    marker === undefined
      ? 'Demo data is in place: the monitor runs around the clock, and there is news to read.'
      : 'Demo data is in place.';
  return {
    lines: [message, ...products, ...added],
    json: { success: true, first: marker === undefined, message },
  };
}

/** `npm run seed -- [--instant URL] [--free URL] [--admin URL] [--shop URL] [--member-pro EMAIL] [--member-free EMAIL]` */
export const tool = createProgram({
  start: 'npm run seed --',
  commands: {
    '': defineCommand({
      use: '[--instant URL] [--free URL] [--admin URL] [--shop URL] [--member-pro EMAIL] [--member-free EMAIL]',
      help: [
        'Writes demo data once: news, the sandbox’s webhooks (--instant, --free, --admin), watches of products of its shop',
        '(--shop), and members with beta access, one of them with Pro and tokens from the sandbox’s Stripe.',
      ],
      options: OPTIONS,
      run: ({ values, environment }) => {
        for (const option of [...AUDIENCES, 'shop'] as const) {
          const url = values[option];
          if (url !== undefined && !URL.canParse(url))
            throw wrongValue(`--${option}`, url, 'it is a complete URL.');
        }
        const readMember = (text: string | undefined) => (text === undefined ? undefined : readEmail(text));
        const members = { pro: readMember(values['member-pro']), free: readMember(values['member-free']) };
        const { instant, free, admin, shop } = values;
        return withDatabase(environment, (db, config, clock) =>
          seed(db, config, clock, { webhooks: { instant, free, admin }, members, shop }),
        );
      },
    }),
  },
});

import { emailField } from '#shared/accounts/account-fields';
import { AUDIENCES, type Audience } from '#shared/alerts/webhooks/webhooks';
import { openWebhook, sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { systemClock, toIso } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { createMailOutbox } from '#shared/mail/mails';
import { writeMonitorSetting } from '#shared/monitor/monitor-settings';
import { startMonitoring } from '#shared/monitor/start-stop';
import { readWatch } from '#shared/monitor/watches/watches';
import type { PaymentsContext } from '#shared/payments/payments-context';
import { createStripe } from '#shared/payments/stripe-client.server';
import { openKeyring } from '#shared/secrets.server';
import { openStorage } from '#shared/storage/open-storage.server';
import { addDemoImages } from './demo/demo-images';
import { addDemoMembers, type DemoMembers } from './demo/demo-members';
import { addDemoNews } from './demo/demo-news';
import { readArguments } from './arguments';
import {
  createTool,
  showUsage,
  UsageError,
  withDatabase,
  type CommandOutput,
  type Environment,
} from './terminal';

const USAGE = `Use: npm run seed -- [--instant URL] [--free URL] [--admin URL] [--member-pro EMAIL] [--member-free EMAIL] [--json]

Writes demo data once: news, the sandbox’s webhooks (--instant, --free, --admin), and members with beta access, one of them with Pro and tokens from the sandbox’s Stripe. --json prints one JSON object as the last line, also when the command fails.`;

const OPTIONS = {
  instant: { type: 'string' },
  free: { type: 'string' },
  admin: { type: 'string' },
  'member-pro': { type: 'string' },
  'member-free': { type: 'string' },
} as const;

/** All day, so that a demo alert can arrive at any hour. */
const DEMO_HOURS = '0-24';
/** Used only for a shop on this machine. */
const DEMO_INTERVAL_SECONDS = '15';

function isOnThisMachine(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/**
 * Writes demo data once: monitoring runs around the clock, and there are news articles and members. `webhooks` belong to the sandbox
 * and are written on every run, because its address can change. A webhook that an operator has set stays.
 */
async function seed(
  db: Database,
  config: Config,
  { webhooks, members }: { webhooks: Partial<Record<Audience, string | undefined>>; members: DemoMembers },
): Promise<CommandOutput> {
  const clock = systemClock;
  const marker = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', 'demo_data')
    .executeTakeFirst();
  const seeded = JSON.parse(marker?.value ?? '{}') as Partial<Record<Audience, string>> & { news?: true };
  const now = toIso(clock.now());
  const keyring = openKeyring(config);
  // Earlier releases stored the URL itself in place of its hash.
  const isSeeded = (webhook: string, hash: string | undefined): boolean => {
    const url = openWebhook(keyring, webhook);
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
    const row = { sealed_url: sealWebhook(keyring, url), state: 'trusted' as const, updated_at: now };
    await inTransaction(db, (trx) =>
      trx
        .insertInto('webhooks')
        .values({ watch_id: DEFAULT_WATCH_ID, audience, ...row })
        .onConflict((conflict) => conflict.columns(['watch_id', 'audience']).doUpdateSet(row))
        .execute(),
    );
    seeded[audience] = keyring.hash('webhook', url);
  }

  if (marker === undefined) {
    const actor = { userId: null };
    await writeMonitorSetting(db, { key: 'monitoring_hours', value: DEMO_HOURS, actor, clock });
    if (isOnThisMachine(config.monitor.targetUrl)) {
      const interval = { key: 'check_interval_seconds', value: DEMO_INTERVAL_SECONDS };
      await writeMonitorSetting(db, { ...interval, actor, clock });
    }
    if ((await readWatch(db)).running === 0) await startMonitoring(db, { actor, clock });
  }
  // One transaction for articles and marker: after a crash in between, the missing articles would never be added.
  const articleIds = await inTransaction(db, async (trx) => {
    const written = seeded.news === true ? [] : await addDemoNews(trx, { clock });
    const value = JSON.stringify({ ...seeded, news: true });
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
  const payments: PaymentsContext = {
    db,
    clock,
    mail: createMailOutbox({ enabled: config.mail !== null, queues: null, clock }),
    appUrl: config.appUrl,
    // The demo buys nothing at the real Stripe, not even in its test mode.
    stripe:
      config.stripe === null || !isOnThisMachine(config.stripe.apiUrl)
        ? null
        : { client: createStripe(config.stripe), config: config.stripe },
  };
  const added = await addDemoMembers(payments, members);
  const message =
    marker === undefined
      ? 'Demo data is in place: the monitor runs around the clock, and there is news to read.'
      : 'Demo data is in place.';
  return { lines: [message, ...added], json: { success: true, first: marker === undefined, message } };
}

function readEmail(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = emailField.safeParse(text);
  if (!parsed.success) throw new UsageError(`${text} is not an email address.\n\n${USAGE}`);
  return parsed.data;
}

/** `npm run seed -- [--instant URL] [--free URL] [--admin URL] [--member-pro EMAIL] [--member-free EMAIL]` */
async function main(args: string[], environment: Environment): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: OPTIONS, usage: USAGE });
  if (values.help) return showUsage(USAGE);
  if (positionals.length > 0) throw new UsageError(USAGE);
  const members = { pro: readEmail(values['member-pro']), free: readEmail(values['member-free']) };
  return withDatabase(environment, (db, config) => seed(db, config, { webhooks: values, members }));
}

export const tool = createTool(main);

import { AUDIENCES, type Audience } from '#shared/alerts/webhooks';
import { openWebhook, sealWebhook } from '#shared/alerts/webhook-seal.server';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { systemClock, toIso } from '#shared/clock';
import type { Config } from '#shared/config.server';
import type { Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { writeMonitorSetting } from '#shared/monitor/monitor-settings';
import { startMonitoring } from '#shared/monitor/start-stop';
import { readWatch } from '#shared/monitor/watches';
import { openKeyring } from '#shared/session-secret.server';
import { createDiskStorage, uploadsFolder } from '#shared/storage/disk-storage.server';
import { giveDemoNews } from './demo-news';
import { giveDemoPictures } from './demo-pictures';
import { runTool, withDatabase, type CommandOutput } from './terminal';

/** A newcomer may come at any hour. */
const DEMO_HOURS = '0-24';
/** Quick enough to watch; only a shop on this machine is asked so often. */
const DEMO_INTERVAL_SECONDS = '15';

function isOnThisMachine(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

/**
 * `npm run seed -- [--instant URL] [--free URL] [--admin URL]`: demo data for a machine on which the product is tried
 * out, given once: the monitor runs at once and around the clock, and there is news to read. Webhooks given here belong to the sandbox and are
 * written each time, since its address may change; a webhook that a person has set is left alone.
 */
async function seed(db: Database, config: Config, args: readonly string[]): Promise<CommandOutput> {
  const clock = systemClock;
  const marker = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', 'demo_data')
    .executeTakeFirst();
  const given = JSON.parse(marker?.value ?? '{}') as Partial<Record<Audience, string>> & { news?: true };
  const now = toIso(clock.now());
  const keyring = openKeyring(config);
  // Earlier releases stored the URL where its hash is stored now.
  const isGiven = (webhook: string, hash: string | undefined): boolean => {
    const url = openWebhook(keyring, webhook);
    if (url === null || hash === undefined) return false;
    return hash === url || keyring.matches('webhook', url, hash);
  };

  for (const audience of AUDIENCES) {
    const flag = args.indexOf(`--${audience}`);
    const url = flag === -1 ? undefined : args[flag + 1];
    if (url === undefined) continue;
    const stored = await db
      .selectFrom('webhooks')
      .select('sealed_url')
      .where('watch_id', '=', DEFAULT_WATCH_ID)
      .where('audience', '=', audience)
      .executeTakeFirst();
    if (stored !== undefined && !isGiven(stored.sealed_url, given[audience])) continue;
    const row = { sealed_url: sealWebhook(keyring, url), state: 'trusted' as const, updated_at: now };
    await inTransaction(db, (trx) =>
      trx
        .insertInto('webhooks')
        .values({ watch_id: DEFAULT_WATCH_ID, audience, ...row })
        .onConflict((conflict) => conflict.columns(['watch_id', 'audience']).doUpdateSet(row))
        .execute(),
    );
    given[audience] = keyring.hash('webhook', url);
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
  // With the marker in one transaction: half of the news would never become whole.
  const articleIds = await inTransaction(db, async (trx) => {
    const written = given.news === true ? [] : await giveDemoNews(trx, { clock });
    const value = JSON.stringify({ ...given, news: true });
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
  const storage = createDiskStorage(uploadsFolder(config.dataDir));
  await giveDemoPictures({ db, storage, clock }, articleIds);
  const message =
    marker === undefined
      ? 'Demo data is in place: the monitor runs around the clock, and there is news to read.'
      : 'Demo data is in place.';
  return { lines: [message], json: { success: true, first: marker === undefined, message } };
}

await runTool((args) => withDatabase((db, config) => seed(db, config, args)));

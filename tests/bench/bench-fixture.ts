import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createDiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import type { Delivery } from '#shared/alerts/deliveries/deliveries';
import { createDeliverySender } from '#shared/alerts/deliveries/send-delivery.server';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { systemClock, toIso } from '#shared/clock';
import type { DatabaseConfig } from '#shared/database-config';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { migrateToLatest } from '#shared/database/migrator.server';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { toDue } from '#shared/outbox/define-outbox';
import { createKeyring } from '#shared/secrets.server';
import { createPublicWeb } from '#shared/network/public-web.server';
import { connectQueues, type Queues } from '#shared/queues/connection.server';
import { enqueueDue } from '#shared/queues/enqueue';
import { migrations } from '../../migrations/all-migrations';
import { createSlots } from '#shared/outbox/destination-limiter';
import { createSender, type Sender } from '#shared/outbox/sender';
import { FREE_PACE } from '#shared/monitor/product-timing';
import { createKnownPages } from '../../daemon/checks/known-pages';
import { createJudge } from '../../daemon/checks/judge';
import type { CheckerContext } from '../../daemon/checks/checker-context';
import { createPageFetcher } from '../../daemon/waiting-room/fetch/fetch-page';
import { startFakeServices, type FakeServices } from './fake-services';

export const BENCH_PREFIX = `bench-${process.pid}`;

export interface BenchFixture {
  services: FakeServices;
  db: Database;
  queues: Queues;
  redisUrl: string;
  deliveries: Sender<Delivery>;
  checker: CheckerContext;
  close(): Promise<void>;
}

/**
 * Creates the parts of the daemon as the daemon does, against the fake services. `database`: an empty one; default: an SQLite
 * file.
 */
export async function createBenchFixture(redisUrl: string, database?: DatabaseConfig): Promise<BenchFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-bench-'));
  const config = database ?? { engine: 'sqlite', file: join(folder, 'bench.db') };
  await migrateToLatest(config, migrations);
  const db = openDatabase(config);
  const services = await startFakeServices();
  const queues = connectQueues(redisUrl, { prefix: BENCH_PREFIX });
  const logger = pino({ level: 'silent' });
  const discord = createDiscordWebhooks({ appUrl: 'https://packwatch.test' });
  const adminContacts = { emails: [] };
  const outbox = createDeliverySender({
    db,
    keyring: createKeyring(['a secret of the benchmark']),
    discord,
    mailer: null,
    clock: systemClock,
    logger,
    appUrl: 'https://packwatch.test',
    webhookHosts: [new URL(services.origin).host],
    adminContacts,
    owner: 'bench',
    outcomes: createWriteRetrier({ onWait: () => undefined }),
  });
  const deliveries = createSender({
    outbox,
    lanes: { all: createSlots({ slots: 64 }) },
    place: (rows) => rows.map(({ id }) => ({ id, lane: 'all', destination: '', isRetry: false })),
    batch: 64,
    enqueue: (rows) => enqueueDue(queues, 'alerts', rows.map(toDue), Date.now()),
    logger,
  });
  const web = createPublicWeb({ allowedPrivateHosts: [] });
  const fetcher = createPageFetcher(web);
  // The bundle of the daemon: this program is in build/bench.
  const program = new URL('../daemon/checks/judge-thread.js', import.meta.url);
  const judge = createJudge({ program, logger });
  const checker: CheckerContext = {
    db,
    clock: systemClock,
    logger,
    monitor: { targetUrl: `${services.origin}/shop`, scrappey: null },
    fetcher,
    judge: judge.judge,
    knownPages: createKnownPages(systemClock),
    hostVisits: { visit: () => Promise.resolve(null) },
    paceOf: () => FREE_PACE,
    isDatabaseOut: () => false,
    owner: 'bench',
    sender: 'bench',
    adminContacts,
    handleClockStep: () => Promise.resolve(),
    onStorageFault: () => undefined,
    onRecorded: (recorded) => deliveries.dispatch(recorded.deliveries),
  };
  await db
    .insertInto('webhooks')
    .values({
      watch_id: DEFAULT_WATCH_ID,
      audience: 'instant',
      sealed_url: `${services.origin}/api/webhooks/1/instant`,
      updated_at: toIso(Date.now()),
    })
    .execute();
  return {
    services,
    db,
    queues,
    redisUrl,
    deliveries,
    checker,
    async close() {
      await deliveries.idle();
      await queues.close();
      await Promise.all([fetcher.close(), web.close(), discord.close(), judge.close()]);
      await db.destroy();
      services.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { asDatabaseClock } from '#shared/database/database-clock';
import { machineClock } from '#shared/machine-clock.server';
import { readHealth } from '#shared/status/health.server';
import { createDaemonHealth } from '../../../daemon/health/daemon-health';
import { createTestDatabase, type TestDatabase } from '../database';
import { startCommitCutter, type CommitCutter } from './commit-cutter';

let test: TestDatabase;
let line: CommitCutter;
let db: Database;

beforeEach(async () => {
  test = await createTestDatabase();
  if (test.config.engine !== 'postgres') throw new Error('this test needs PostgreSQL');
  const address = new URL(test.config.url);
  line = await startCommitCutter(Number(address.port));
  address.port = String(line.port);
  db = openDatabase({ engine: 'postgres', url: address.href });
});
afterEach(async () => {
  line.hold(false);
  await db.destroy();
  await line.close();
  await test.cleanup();
});

const common = {
  clock: asDatabaseClock(machineClock),
  findFileFault: () => Promise.resolve(null),
};

// A query waits 15 s for its answer; the daemon's probe made four of them, one after the other.
it('the health of web and daemon is known before a query to a silent server ends', async () => {
  const id = { id: 'daemon', host: 'here', bootId: null, pidNamespace: null, pid: 1, startedAt: 0 };
  const readDaemonHealth = createDaemonHealth({
    db,
    ...common,
    instance: id,
    probeRedis: () => Promise.resolve(null),
    outcomes: { waiting: () => 0 },
    storageFault: () => null,
    findLogFault: () => Promise.resolve(null),
    readFreeBytes: () => Promise.resolve(Number.POSITIVE_INFINITY),
  });
  await db.selectFrom('watches').select('id').execute();
  line.hold(true);
  let isOver = false;
  const query = db
    .selectFrom('watches')
    .select('id')
    .execute()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  const [web, daemon] = await Promise.all([
    readHealth({ db, ...common, pingRedis: () => Promise.resolve(true) }),
    readDaemonHealth(),
  ]);
  expect(isOver).toBe(false);
  expect(web).toMatchObject({ status: 'down', database: { ok: false }, redis: { ok: true } });
  expect(daemon).toMatchObject({
    ok: false,
    status: 'down',
    database: { ok: false, reason: 'The database does not answer.' },
    redis: { ok: true },
  });
  line.hold(false);
  await query;
});

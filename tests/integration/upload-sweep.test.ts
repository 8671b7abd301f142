import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { QUEUE_PREFIX } from '#shared/queues/catalogue';
import { startPrivateRedis } from '../../scripts/processes/private-redis.mjs';
import { storedFiles } from './media-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from './monitor-fixture';

const folder = mkdtempSync(join(tmpdir(), 'packwatch-upload-sweep-'));
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
let fixture: MonitorFixture;
beforeAll(async () => {
  redis = await startPrivateRedis({ directory: folder });
  fixture = await createMonitorFixture({ redisUrl: redis.url, prefix: QUEUE_PREFIX, webhooks: [] });
});
afterAll(async () => {
  await fixture.cleanup();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the daemon removes the files of deleted uploads', async () => {
  const uploads = join(fixture.environment.DATA_DIR ?? '', 'uploads');
  const [deleted, attached] = [newId(), newId()];
  const now = toIso(Date.now());
  for (const [id, status] of [
    [deleted, 'deleted'],
    [attached, 'attached'],
  ] as const) {
    await fixture.db
      .insertInto('uploads')
      .values({ id, kind: 'media', status, created_at: now, updated_at: now })
      .execute();
    mkdirSync(join(uploads, id), { recursive: true });
    writeFileSync(join(uploads, id, '480.webp'), 'x');
  }
  await fixture.startDaemon();
  await eventually(async () => {
    const rows = await fixture.db.selectFrom('uploads').select('id').execute();
    expect(rows).toEqual([{ id: attached }]);
  });
  expect(storedFiles(uploads)).toEqual([`${attached}/480.webp`]);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { QUEUE_PREFIX } from '#shared/queues/catalogue';
import { startPrivateRedis } from '../../../scripts/processes/private-redis.mjs';
import { storedFiles } from './media-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';

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

/** Records uploads that received their last bytes so many minutes ago. */
async function recordReleaseUploads(): Promise<void> {
  for (const [kind, platform, minutes] of [
    ['form', 'windows', 3],
    ['form', 'macos', 1],
    ['resumable', 'linux', 60],
  ] as const) {
    const at = toIso(Date.now() - minutes * MINUTE);
    const upload = { id: newId(), kind, platform, user_id: null, created_at: at, received_at: at };
    await fixture.db
      .insertInto('release_uploads')
      .values({ ...upload, version: '1.0.0', original_name: 'setup', file_size: 10, fields: '{}' })
      .execute();
  }
}

test('the daemon removes the files of deleted uploads and of replaced releases, and the records of broken ones', async () => {
  const root = fixture.environment.DATA_DIR ?? '';
  const [uploads, releases] = [join(root, 'uploads'), join(root, 'releases')];
  const [deleted, attached, replaced] = [newId(), newId(), newId()];
  const now = toIso(Date.now());
  for (const { id, status, kind, folder } of [
    { id: deleted, status: 'deleted', kind: 'media', folder: uploads },
    { id: attached, status: 'attached', kind: 'media', folder: uploads },
    { id: replaced, status: 'deleted', kind: 'release', folder: releases },
  ] as const) {
    await fixture.db
      .insertInto('uploads')
      .values({ id, kind, status, created_at: now, updated_at: now })
      .execute();
    mkdirSync(join(folder, id), { recursive: true });
    writeFileSync(join(folder, id, 'file.bin'), 'x');
  }
  await recordReleaseUploads();
  await fixture.startDaemon();
  await eventually(async () => {
    const rows = await fixture.db.selectFrom('uploads').select('id').execute();
    expect(rows).toEqual([{ id: attached }]);
  });
  expect(storedFiles(uploads)).toEqual([`${attached}/file.bin`]);
  expect(storedFiles(releases)).toEqual([]);
  const running = await fixture.db
    .selectFrom('release_uploads')
    .select('platform')
    .orderBy('platform')
    .execute();
  expect(running.map(({ platform }) => platform)).toEqual(['linux', 'macos']);
});

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpointLargeLog } from '#shared/database/sqlite/free-space';
import { openSqlite } from '#shared/database/sqlite/sqlite-database.server';
import { HEARTBEAT_EVERY_MS } from '#shared/monitor/heartbeat';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';

const PAGE_BYTES = 4_096;

let fixture: MonitorFixture;
beforeEach(async () => {
  fixture = await createMonitorFixture();
});
afterEach(() => fixture.cleanup());

/** Pages of the write-ahead log that are not in the database file. */
async function pagesToCopy(): Promise<number> {
  const { rows } = await sql<{ log: number; checkpointed: number }>`pragma wal_checkpoint(noop)`.execute(
    fixture.db,
  );
  return (rows[0]?.log ?? 0) - (rows[0]?.checkpointed ?? 0);
}

async function writePages(count: number): Promise<void> {
  const row = { key: 'filler', value: 'x'.repeat(count * PAGE_BYTES), updated_at: '', description: '' };
  await fixture.db
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
    .execute();
}

describe('the write-ahead log', () => {
  it('is left alone while it is small', async () => {
    await writePages(100);
    const before = await pagesToCopy();
    expect(before).toBeGreaterThan(100);
    await checkpointLargeLog(fixture.db);
    expect(await pagesToCopy()).toBe(before);
  });

  it('is not copied while another process reads older pages, and is afterwards', async () => {
    const reader = openSqlite(fixture.file);
    reader.exec('begin');
    reader.prepare('select count(*) from settings').get();
    await writePages(1_100);
    await checkpointLargeLog(fixture.db);
    expect(await pagesToCopy()).toBeGreaterThan(1_100);
    reader.close();
    await checkpointLargeLog(fixture.db);
    expect(await pagesToCopy()).toBe(0);
  });

  it('is copied by the daemon once it has grown, before a commit has to', async () => {
    await fixture.startDaemon();
    await writePages(1_100);
    fixture.clock.advance(HEARTBEAT_EVERY_MS);
    await eventually(async () => expect(await pagesToCopy()).toBeLessThan(1_000));
  });
});

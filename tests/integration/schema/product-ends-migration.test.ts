import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrateFileDown, migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { databaseFile } from '../database-file';

const NAME = '0052-product-ends';
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < NAME));
const upTo = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= NAME));
const NOON = '2026-11-20T12:00:00.000Z';
const file = databaseFile();

const run = <Row>(text: string): Promise<Row[]> =>
  file.open(async (db) => (await sql.raw<Row>(text).execute(db)).rows);
const announcement = (id: string, kind: string) =>
  run(`insert into product_announcements (id, kind, product_id, beside_restock, announced_at, fan_out_status)
    values ('${id}', '${kind}', 'p', 0, '${NOON}', 'done')`);
const delivery = (id: string, about: string) =>
  run(`insert into member_deliveries
    (id, announcement_id, user_id, channel, target, status, due_at, expires_at, created_at, updated_at)
    values ('${id}', '${about}', 'u', 'email', 'u', 'sent', '${NOON}', '${NOON}', '${NOON}', '${NOON}')`);
const deliveries = () => run('select id, announcement_id from member_deliveries order by id');

it('announcements and their deliveries are kept; those of ends go with the migration', async () => {
  await migrateFileToLatest(file.path, before);
  await run(
    `insert into users (id, username, email, created_at, updated_at) values ('u', 'u', 'u@example.com', '${NOON}', '${NOON}')`,
  );
  await run(`insert into products (id, slug, title, created_at) values ('p', 'p', 'P', '${NOON}')`);
  await announcement('r', 'release');
  await delivery('a', 'r');

  await migrateFileToLatest(file.path, upTo);
  await announcement('e', 'end');
  await delivery('b', 'e');
  expect(await deliveries()).toEqual([
    { id: 'a', announcement_id: 'r' },
    { id: 'b', announcement_id: 'e' },
  ]);
  await expect(delivery('c', 'unknown')).rejects.toThrow(/FOREIGN KEY/);

  await migrateFileDown(file.path, upTo);
  expect(await deliveries()).toEqual([{ id: 'a', announcement_id: 'r' }]);
  await expect(announcement('f', 'end')).rejects.toThrow(/CHECK/);
});

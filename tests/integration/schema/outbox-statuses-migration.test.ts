import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrateFileDown, migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { databaseFile } from '../database-file';

const NAME = '0027-outbox-statuses';
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < NAME));
const upTo = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= NAME));
const NOON = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T13:00:00.000Z';
const file = databaseFile();

const query = <Row>(text: string): Promise<Row[]> =>
  file.open(async (db) => (await sql.raw<Row>(text).execute(db)).rows);

const mail = (id: string, columns: Record<string, string | number | null>) => {
  const row = { id, recipient: 'a', template: 'code', due_at: NOON, expires_at: NOON, ...columns };
  const values = { ...row, created_at: NOON, updated_at: NOON };
  const literals = Object.values(values).map((value) =>
    value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`,
  );
  return query(`insert into mails (${Object.keys(values).join()}) values (${literals.join()})`);
};
const event = (id: string, status: string, updatedAt = NOON) =>
  query(`insert into payment_events
    (id, stripe_event_id, type, object_type, object_id, stripe_created_at, status, due_at, expires_at, attempts,
      applied_at, created_at, updated_at)
    values ('${id}', 'evt_${id}', 't', 'o', 'o', '${NOON}', '${status}', '${NOON}', '${LATER}', 3,
      ${status === 'applied' ? `'${NOON}'` : 'null'}, '${NOON}', '${updatedAt}')`);

it('the rows of every outbox get the same status words, and the former ones when reverted', async () => {
  await migrateFileToLatest(file.path, before);
  const mails = {
    a: { status: 'dead', last_status: 550, last_error: 'the mail server refused with 550' },
    b: { status: 'dead', last_error: 'it was too late to be of use' },
    c: { status: 'dead', last_error: 'the mail server answered 451' },
    d: { status: 'dead', last_error: 'mail is switched off' },
    e: {
      status: 'dead',
      last_error: 'no answer; it was sent twice without an answer, so it is not sent again',
    },
    f: { status: 'dead', last_error: null },
    g: { status: 'sending', claimed_by: 'x', claimed_until: NOON, sealed_code: 's', uncertain: 1 },
    h: { status: 'cancelled' },
    i: { status: 'sent', sent_at: NOON, data: '{}', template: 'tokens_bought' },
  };
  for (const [id, columns] of Object.entries(mails)) await mail(id, columns);
  for (const status of ['pending', 'applied', 'ignored', 'failed']) await event(status, status);
  await event('late', 'failed', LATER);
  const read = (table: string) => query<{ id: string }>(`select * from ${table} order by id`);
  const [oldMails, oldEvents] = [await read('mails'), await read('payment_events')];

  await migrateFileToLatest(file.path, upTo);
  const statuses = (table: string) =>
    query<{ id: string; status: string }>(`select id, status from ${table} order by id`).then((rows) =>
      rows.map(({ id, status }) => `${id} ${status}`),
    );
  expect(await statuses('mails')).toEqual([
    'a dead',
    'b expired',
    'c expired',
    'd dead',
    'e dead',
    'f dead',
    'g sending',
    'h cancelled',
    'i sent',
  ]);
  expect(await statuses('payment_events')).toEqual([
    'applied sent',
    'failed dead',
    'ignored cancelled',
    'late expired',
    'pending pending',
  ]);
  expect(await query(`select sent_at, uncertain from payment_events where id = 'applied'`)).toEqual([
    { sent_at: NOON, uncertain: 0 },
  ]);
  await expect(query(`update mails set status = 'sent' where id = 'g'`)).rejects.toThrow(/constraint/i);

  await migrateFileDown(file.path, upTo);
  const byKey = (rows: object[]) => rows.map((row) => Object.fromEntries(Object.entries(row).toSorted()));
  expect(byKey(await read('mails'))).toEqual(byKey(oldMails));
  expect(byKey(await read('payment_events'))).toEqual(byKey(oldEvents));
});

import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { readServerNames } from '#shared/database/postgres/applied-names.server';

const NAME = `collation_of_${process.pid}`;
let server: pg.Client;

beforeEach(async () => {
  server = new pg.Client(inject('postgresUrl'));
  await server.connect();
});
afterEach(async () => {
  await server.query(`drop database if exists ${NAME} with (force)`);
  await server.end();
});

async function readNamesOf(creation: string): Promise<string[]> {
  await server.query(`create database ${NAME} ${creation}`);
  return readServerNames(new URL(`/${NAME}`, inject('postgresUrl')).href);
}

const refusal = {
  code: 'database_collation',
  message: expect.stringContaining('create database NAME template template0') as string,
};

it('a database of another encoding is refused, with the statement that creates one', async () => {
  const creation = "template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'";
  await expect(readNamesOf(creation)).rejects.toMatchObject(refusal);
});

// `datcollate` is C there, and ICU orders the text all the same.
it('a database of ICU is refused', async ({ skip }) => {
  const { rowCount } = await server.query("select from pg_collation where collprovider = 'i' limit 1");
  skip(rowCount === 0, 'this server is built without ICU');
  const creation = "template template0 locale_provider icu icu_locale 'en' lc_collate 'C' lc_ctype 'C'";
  await expect(readNamesOf(creation)).rejects.toMatchObject(refusal);
});

it('a database that is created as the guide says is accepted', async () => {
  const guide = readFileSync('docs/scaling.md', 'utf8');
  const [, creation = ''] = /create database packwatch owner packwatch\s+([^;]+);/.exec(guide) ?? [];
  expect(await readNamesOf(creation)).toEqual([]);
});

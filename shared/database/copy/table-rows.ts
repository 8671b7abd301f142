import { createHash, type Hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Transaction } from '../schema';
import type { TableShape } from '../sqlite/table-shapes.server';

export type Row = Record<string, unknown>;

/** The size of the first page: rows may be large. */
const FIRST_PAGE_ROWS = 50;
const MAX_PAGE_ROWS = 500;
/** The approximate maximum length of a page's text. */
const PAGE_LENGTH = 4 * 1024 ** 2;

/** Reads the rows of a table in pages, in key order. */
async function readPage(
  trx: Transaction,
  { name, columns, key }: TableShape,
  { after, limit }: { after: Row | undefined; limit: number },
): Promise<Row[]> {
  const keys = sql.join(key.map((column) => sql.ref(column)));
  const from =
    after === undefined ? sql`` : sql`where (${keys}) > (${sql.join(key.map((column) => after[column]))})`;
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)} ${from}
    order by ${keys} limit ${sql.lit(limit)}`.execute(trx);
  return rows;
}

/** A row in the form that both engines share. */
function textOf({ columns }: TableShape, row: Row): string {
  return JSON.stringify(
    columns.map((column) => {
      const value = row[column];
      return Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value;
    }),
  );
}

/** The number of a table's rows, and the hexadecimal SHA-256 of the rows in key order. */
export interface TableSum {
  rows: number;
  sha256: string;
}

/** Passes the rows of a table to `onPage`, page by page in key order, and counts and hashes them. */
export async function readTable(
  trx: Transaction,
  shape: TableShape,
  { onPage, signal }: { onPage?: (rows: Row[]) => Promise<void>; signal?: AbortSignal | undefined },
): Promise<TableSum> {
  const hash: Hash = createHash('sha256');
  let count = 0;
  let after: Row | undefined;
  for (let limit = FIRST_PAGE_ROWS; ;) {
    signal?.throwIfAborted();
    const page = await readPage(trx, shape, { after, limit });
    if (page.length === 0) return { rows: count, sha256: hash.digest('hex') };
    let length = 0;
    for (const row of page) {
      const text = textOf(shape, row);
      length += text.length;
      hash.update(`${text}\n`);
    }
    await onPage?.(page);
    count += page.length;
    after = page.at(-1);
    limit = Math.max(1, Math.min(MAX_PAGE_ROWS, Math.floor((PAGE_LENGTH * page.length) / length)));
  }
}

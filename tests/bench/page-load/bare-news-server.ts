import Sqlite from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A news page without any framework: Node's HTTP server, one connection to the same database, the same rows read for
 * every request, and an answer of the same bytes. Arguments: the database, and a JSON file of `BarePages`.
 */
export interface BarePages {
  list: string;
  article: string;
  articleId: string;
}

interface Row {
  id: string;
  title: string;
  content: string;
}

const [databaseFile = '', pagesFile = ''] = process.argv.slice(2);
const pages = JSON.parse(readFileSync(pagesFile, 'utf8')) as BarePages;
const sqlite = new Sqlite(databaseFile, { readonly: true });
const countPublished = sqlite.prepare('select count(*) as total from articles where published = 1');
const selectPage = sqlite.prepare(
  'select * from articles where published = 1 order by published_at desc, id desc limit 9',
);
const selectArticle = sqlite.prepare('select * from articles where published = 1 and id = ?');
const selectMedia = sqlite.prepare('select * from media where article_id = ? order by display_order');

/** Stands for a template that costs nothing: the page is ready once its rows are read. */
function rowsThenPage(rows: Row[], html: string): string {
  for (const { id } of rows) selectMedia.all(id);
  return rows.length === 0 ? '' : html;
}

const server = createServer((request, response) => {
  const isList = request.url === '/news';
  if (isList) countPublished.get();
  const rows = (isList ? selectPage.all() : selectArticle.all(pages.articleId)) as Row[];
  const body = Buffer.from(rowsThenPage(rows, isList ? pages.list : pages.article));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.byteLength });
  response.end(body);
});

process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { PRODUCT_NAME } from '../brand';
import { toIso } from '../clock';
import type { Database } from '../database/schema';
import { LEFT_OUT, readSection, SECTIONS, type Owner } from './archive-sections';
import { csvLine } from '../csv';

type Section = (typeof SECTIONS)[number];

async function* jsonOf(db: Database, section: Section, owner: Owner): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of readSection(db, section, owner)) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

async function* csvOf(db: Database, section: Section, owner: Owner): AsyncGenerator<string> {
  const names = [...section.columns, ...Object.keys(section.lookups)];
  // Spreadsheets read UTF-8 only after a byte order mark.
  yield `\uFEFF${csvLine(names)}`;
  for await (const rows of readSection(db, section, owner))
    yield rows.map((row) => csvLine(names.map((name) => row[name]))).join('');
}

function readme(owner: Owner, now: number): string {
  return [
    `The data that ${PRODUCT_NAME} holds about ${owner.email}, read on ${toIso(now)} (UTC).`,
    '',
    'Each list is there twice: in json/ for programs, in csv/ for spreadsheets. Times are in UTC, amounts in pence.',
    'In csv/, an apostrophe comes before a text that a spreadsheet would take for a formula.',
    '',
    ...SECTIONS.map(({ name, table }) => `${name}: from the table ${table}`),
    '',
    'Deleted before, as our privacy page says: alert deliveries three days after their alert has closed, emails after seven days, codes after one day, account events after a year.',
    'Your choice about cookies and your theme are in your browser only. Cards and invoices are at Stripe: see Payment details on your dashboard.',
    '',
    'Left out:',
    ...Object.entries(LEFT_OUT).map(([name, reason]) => `${name}: ${reason}`),
    '',
  ].join('\r\n');
}

/**
 * The zip archive of what the database holds about a member. `now`: epoch ms. It is read while it is made, so memory holds
 * a page of rows; it fails with the error of the database. Destroying the stream ends the reading.
 */
export function writeArchive(db: Database, { owner, now }: { owner: Owner; now: number }): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const options = { mtime: new Date(now), mode: 0o100600 };
  let source: Readable | null = null;
  output.on('close', () => source?.destroy());
  zip.addBuffer(Buffer.from(readme(owner, now)), 'README.txt', options);
  for (const section of SECTIONS)
    for (const [folder, write] of [
      ['json', jsonOf],
      ['csv', csvOf],
    ] as const)
      zip.addReadStreamLazy(`${folder}/${section.name}.${folder}`, options, (ready) => {
        source = Readable.from(write(db, section, owner), { objectMode: false });
        // yazl does not hear of the errors of its sources.
        source.on('error', (error) => output.destroy(error));
        ready(null, source);
      });
  zip.end();
  return output;
}

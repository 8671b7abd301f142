import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { systemClock } from '#shared/clock';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { setScene } from '../../e2e/monitor-scenes';
import { storeCheck } from '../../integration/alerts/finished-check';
import { insertProductWatch, OUT, productCheck } from '../../integration/monitor/product-watch';
import { middle } from '../figures';
import { seedNews } from '../page-load/seed-news';
import { startRemix } from '../page-load/servers';
import { KINDS, loadPage, type PageVitals } from './load-page';
import { startScriptlessServer } from './scriptless-server';

const ROUNDS = 3;
const PRODUCTS = 12;

/** A public page and the same page without scripts. */
export interface VitalsOfPage {
  path: string;
  ours: PageVitals;
  scriptless: PageVitals;
}

async function seedSite(folder: string): Promise<{ article: string; product: string }> {
  const file = join(folder, 'packwatch.db');
  await migrateFileToLatest(file, migrations);
  const db = openSqliteDatabase(file);
  await setScene(db, 'open', Date.now());
  const article = await seedNews(db);
  let product = '';
  for (let index = 0; index < PRODUCTS; index += 1) {
    const id = await insertProductWatch(db, { title: `Ember Hollow chest ${index}` });
    await storeCheck(db, systemClock, productCheck(id, index % 2 === 0 ? {} : OUT));
    product = `product-${id}`;
  }
  await db.destroy();
  return { article, product };
}

/** The load whose first paint is the middle one. */
async function loadSeveral(browser: Browser, address: string, rounds: number): Promise<PageVitals> {
  const loads: PageVitals[] = [];
  for (let round = 0; round < rounds; round += 1) loads.push(await loadPage(browser, address));
  const typical = middle(loads.map(({ firstPaint }) => firstPaint));
  const chosen = loads.find(({ firstPaint }) => firstPaint === typical);
  if (chosen === undefined) throw new Error(`${address} was not painted`);
  return { ...chosen, blocking: middle(loads.map(({ blocking }) => blocking)) };
}

/** Loads each public page as a first visitor on a slow phone. Takes about two minutes. */
export async function measureVitals(): Promise<VitalsOfPage[]> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-vitals-'));
  const { article, product } = await seedSite(folder);
  const paths = [
    '/',
    '/news',
    `/news/${article}`,
    '/status',
    '/restock',
    '/restock/pokemon-center',
    `/restock/${product}`,
    '/login',
    '/signup',
    '/developers',
    '/privacy',
    '/terms',
  ];
  const site = await startRemix(
    './build/server/index.js',
    {
      DATA_DIR: folder,
      REDIS_URL: process.env.REDIS_URL ?? '',
      SESSION_SECRET: 'a secret for as long as this run',
    },
    join(folder, 'site.log'),
  );
  const browser = await chromium.launch({
    executablePath: process.env.PACKWATCH_CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  });
  try {
    const scriptless = await startScriptlessServer(site.origin, paths);
    const pages: VitalsOfPage[] = [];
    for (const path of paths)
      pages.push({
        path,
        ours: await loadSeveral(browser, site.origin + path, ROUNDS),
        scriptless: await loadSeveral(browser, scriptless.origin + path, 1),
      });
    scriptless.close();
    return pages;
  } finally {
    await browser.close();
    await site.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const ms = (value: number) => String(Math.round(value)).padStart(6);

/** Formats the figures as lines of text. */
export function showVitals(pages: readonly VitalsOfPage[]): string[] {
  return [
    'Public pages on a slow phone (150 ms, 1.6 Mbit/s, a quarter of the processor); in brackets the same page without scripts',
    '  first paint     largest        blocking  shift   scripts from  page                     bytes (files)',
    ...pages.map(({ path, ours, scriptless }) => {
      const kinds = KINDS.filter((kind) => ours.files[kind] > 0).map(
        (kind) => `${kind.toLowerCase()} ${(ours.bytes[kind] / 1_000).toFixed(1)} kB (${ours.files[kind]})`,
      );
      return [
        ` ${ms(ours.firstPaint)} (${ms(scriptless.firstPaint).trim()})`.padEnd(17),
        `${ms(ours.largestPaint)} (${ms(scriptless.largestPaint).trim()})`.padEnd(15),
        ms(ours.blocking),
        ours.shift.toFixed(3).padStart(8),
        (ours.scriptsFrom === null ? '-' : ms(ours.scriptsFrom)).padStart(12),
        `   ${path.slice(0, 24).padEnd(24)}`,
        kinds.join(', '),
      ].join(' ');
    }),
    '  aims: first paint 1300 ms, scripts 95 kB in 8 files, styles 10 kB in one, two fonts, no shift',
  ];
}

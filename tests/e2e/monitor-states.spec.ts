import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSession } from '#shared/accounts/sessions';
import { DAY, MINUTE, systemClock, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { addBetaMember } from '../paid-accounts';
import { SCENES, setScene, type Scene } from './monitor-scenes';
import { addAlert, addWatch } from '../integration/monitor/status-data';
import { accessibilityFaults, COLOUR_RULES, expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { createDatabase, startWeb, type Web } from './stack';
import { expect, test } from './test';
import { translatePage } from './translate-page';

/** What a visitor reads in each state: the text of the pill and the headline. */
const EXPECTED: Record<Scene, [string, RegExp]> = {
  open: ['Shop open', /^No waiting room$/],
  live: ['Waiting room', /^Live for 4 min \d\d s$/],
  suspected: ['Waiting room?', /^Possible waiting room$/],
  unknown: ['Unknown', /^We could not tell$/],
  stopped: ['Stopped', /^Monitoring is stopped$/],
  resting: ['Resting', /^Back at \d\d:00 (today|tomorrow)$/],
  offline: ['Offline', /^Checks are interrupted$/],
  'no-check-yet': ['Not checked yet', /^The first check is under way$/],
};

let folder: string;
let db: Database;
let web: Web;

// A separate web process: the shared stack's daemon would overwrite what these tests write.
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-states-'));
  const environment = { DATA_DIR: folder, NODE_ENV: 'production', SANDBOX: '1' };
  await createDatabase(folder);
  db = openSqliteDatabase(join(folder, 'packwatch.db'));
  web = await startWeb(environment, folder);
});

test.afterAll(async () => {
  await web.running.stop();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

for (const scene of SCENES) {
  test(`the live card when the monitor is: ${scene}`, async ({ page, request }) => {
    await setScene(db, scene, Date.now());
    const [word, headline] = EXPECTED[scene];
    // The words are part of the page before any script runs.
    expect(await (await request.get(web.url)).text()).toContain(`>${word}<`);
    await page.goto(web.url);
    const state = page.locator('[data-monitor-state]');
    await expect(state.getByText(word, { exact: true })).toBeVisible();
    await expect(state.locator('p').first()).toHaveText(headline);
    // The page once said "looks at the shop every minute" while nothing did.
    const checking = !['stopped', 'offline', 'resting'].includes(scene);
    await expect(page.locator('dt', { hasText: 'Checked' }).locator('+ dd')).toHaveText(
      checking ? 'every minute' : 'not right now',
    );
    await expect(page.locator('main')).not.toContainText(/\blooks? at the shop\b/);
    const lede = page.locator('h1 + p');
    if (scene === 'stopped') await expect(lede).toContainText('Monitoring is stopped right now.');
    else if (scene !== 'offline') await expect(lede).toContainText('checks the shop every minute');

    const card = page.getByRole('article', { name: 'Live monitor' });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await accessibilityFaults(card)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFaults(card, { rules: COLOUR_RULES })).toEqual([]);
  });
}

test('the page that the free alert links to shows the stored state of the waiting room', async ({ page }) => {
  const room = page.locator('[data-waiting-room]');
  const path = `${web.url}/restock/pokemon-center-uk?name=Free+cards`;
  await setScene(db, 'live', Date.now());
  await page.goto(path);
  await expect(room).toHaveText(/^The waiting room is open, since \d\d:\d\d (today|yesterday)\.$/);
  await expect(page.getByRole('region', { name: 'What Premium changed this time' })).toContainText(
    '30 seconds',
  );
  await expect(page.getByRole('link', { name: 'Go to the shop' })).toBeVisible();
  await expectNoFaults(page);
  await expect(page.locator('[data-monitor-state=waiting_room]')).toBeVisible();
  await setScene(db, 'live', Date.now());
  await db
    .updateTable('alerts')
    .set((expression) => ({ status: 'closed', closed_at: expression.ref('last_seen_at') }))
    .execute();
  await page.goto(path);
  await expect(room).toHaveText(
    /^The waiting room has closed\. It lasted 4 minutes, until \d\d:\d\d today\.$/,
  );
  await expect(page.getByText(/in stock/i)).toHaveCount(0);
});

test('a live alert shows when each audience was notified', async ({ page }) => {
  await setScene(db, 'live', Date.now());
  await page.goto(web.url);
  const card = page.getByRole('article', { name: 'Live monitor' });
  for (const audience of ['Pro told', 'Everyone told']) {
    await expect(card.locator('dt', { hasText: audience }).locator('+ dd time')).toHaveText(
      /^\d\d:\d\d:\d\d$/,
    );
  }
});

test('the status page updates without a reload when a waiting room opens, and says when to be awake @own-context', async ({
  page,
}) => {
  const now = Date.now();
  await setScene(db, 'open', now);
  // A zone without clock changes, so that all of them opened at the same hour.
  await db.updateTable('watches').set({ time_zone: 'UTC' }).execute();
  await addWatch(db, 'other-shop', now, { title: 'Other Shop' });
  for (const week of [1, 2, 3, 4, 5])
    await addAlert(db, { openedAt: now - week * 7 * DAY, lastedMs: 39 * MINUTE });
  await page.clock.install();
  await page.goto(`${web.url}/status`);
  const answer = page.getByRole('heading', { level: 1 });
  await expect(answer).toHaveText('No waiting room is open');
  const grid = page.getByRole('table', {
    name: /^When the waiting rooms of Pokemon Center UK opened, by weekday and hour/,
  });
  await expect(grid.getByRole('cell', { name: /^5/ })).toHaveCount(1);
  await expect(page.getByRole('table', { name: 'The last waiting rooms' }).getByRole('row')).toHaveCount(6);
  await expectNoFaults(page);

  await addAlert(db, { watchId: 'other-shop', openedAt: now - MINUTE, lastedMs: null });
  const refresh = async () => {
    const refreshed = page.waitForResponse('**/live/status.json*');
    await page.clock.runFor(5_500);
    await refreshed;
  };
  await refresh();
  await expect(answer).toHaveText('The waiting room of Other Shop is open');
  await expect(page.getByRole('article', { name: 'Other Shop' })).toContainText('Live for');
  await expectNoFaults(page);

  await page.getByRole('link', { name: 'Other Shop' }).click();
  await expect(page).toHaveURL(/watch=other-shop/);
  await expect(page.getByText('Too few to see a pattern yet.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to the waiting room' }).first().click();
  await expect(page).toHaveURL(/\/restock\/other-shop$/);
  await expect(page.locator('[data-waiting-room=open]')).toBeVisible();
  await db
    .updateTable('watches')
    .set({ deleted_at: toIso(now) })
    .where('id', '=', 'other-shop')
    .execute();
});

test('all parts of the status page change together when a room opens and closes @own-context', async ({
  page,
}) => {
  await setScene(db, 'open', Date.now());
  await page.clock.install();
  await watchLayout(page);
  await page.goto(`${web.url}/status`);
  const main = page.getByRole('main');
  await expect(main).toContainText('No waiting room opened in the last 12 weeks.');
  // Again, because a request that was under way may bring what was true before.
  const refreshUntil = (text: string) =>
    expect(async () => {
      await page.clock.runFor(5_500);
      await expect(main).toContainText(text, { timeout: 2_000 });
    }).toPass();
  await addAlert(db, { openedAt: Date.now() - MINUTE, lastedMs: null });
  await refreshUntil('The waiting room of Pokemon Center UK is open');
  await expect(main).toContainText('Live for');
  await expect(main).not.toContainText('No waiting room opened');
  await expect(page.getByRole('table', { name: 'The last waiting rooms' })).toContainText('still open');
  await db
    .updateTable('alerts')
    .set({ status: 'closed', closed_at: toIso(Date.now()), revision: 2 })
    .execute();
  await refreshUntil('No waiting room is open');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No waiting room is open');
  await expect(main).not.toContainText('Live for');
  expect(await layoutShifts(page)).toEqual([]);
});

test.describe('without our fonts', () => {
  test.use({ notedFaults: /^Failed to load resource: / });

  test('the notice of a waiting room changes with its card, and nothing jumps @own-context', async ({
    page,
  }) => {
    await setScene(db, 'open', Date.now());
    await page.clock.install();
    // Where our fonts come too late the page keeps the browser's own, which may be much wider.
    await page.route('**/*.woff2', (route) => route.abort());
    await watchLayout(page);
    await page.goto(`${web.url}/restock/pokemon-center-uk`);
    const notice = page.locator('[data-waiting-room]');
    await expect(notice).toHaveText('No waiting room has been seen here yet.');
    // Again, because a request that was under way may bring what was true before.
    const refreshUntil = (text: RegExp) =>
      expect(async () => {
        await page.clock.runFor(31_000);
        await expect(notice).toHaveText(text, { timeout: 2_000 });
      }).toPass();
    const openedAt = Date.now() - 39 * MINUTE;
    await addAlert(db, { openedAt, lastedMs: null });
    await refreshUntil(/^The waiting room is open, since/);
    const headStart = page.getByRole('region', { name: 'What Premium changed this time' });
    await expect(headStart).toContainText('30.1 seconds');
    await db
      .updateTable('alerts')
      .set({ status: 'closed', closed_at: toIso(openedAt + 39 * MINUTE), revision: 2 })
      .execute();
    await refreshUntil(/^The waiting room has closed\. It lasted 39 minutes, until/);
    await expect(page.locator('[data-monitor-state=open]')).toBeVisible();
    await expect(headStart).toContainText('30.1 seconds');
    expect(await layoutShifts(page)).toEqual([]);
  });
});

test('the status page is complete without scripts @no-scripts', async ({ page }) => {
  await setScene(db, 'live', Date.now());
  await page.goto(`${web.url}/status`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'The waiting room of Pokemon Center UK is open',
  );
  await expect(page.getByRole('article', { name: 'Pokemon Center UK' })).toContainText(
    /Live for 4 min \d\d s/,
  );
  await expect(page.getByRole('cell', { name: '30.0 s' })).toBeVisible();
  await page.goto(web.url);
  await expect(page.getByRole('link', { name: 'Status and usual hours' })).toHaveAttribute('href', '/status');
});

test('the live parts of translated pages show each new state', async ({ page }) => {
  const accountId = await addBetaMember(db, { email: 'admin@packwatch.example' });
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', accountId).execute();
  const { token } = await createSession(db, { accountId, userAgent: null, clock: systemClock });
  await page.context().addCookies([{ name: PLAIN_SESSION_COOKIE, value: token, url: web.url }]);
  for (const path of ['/', '/status', '/restock/pokemon-center-uk', '/dashboard/monitor']) {
    await setScene(db, 'open', Date.now());
    await page.goto(web.url + path);
    await translatePage(page);
    for (const [scene, word, headline] of [
      ['live', 'Waiting room', /^Live for 4 min/],
      ['unknown', 'Unknown', /^We could not tell/],
    ] as const) {
      await setScene(db, scene, Date.now());
      // Again, because a request that was under way may bring what was true before.
      await expect(async () => {
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        const main = page.getByRole('main');
        await expect(main.getByText(word, { exact: true }).first()).toBeVisible({ timeout: 1_000 });
        await expect(main.getByText(headline).first()).toBeVisible({ timeout: 1_000 });
      }).toPass();
    }
  }
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { SCENES, setScene, type Scene } from './monitor-scenes';
import { accessibilityFaults } from './page-quality';
import { runTool, startWeb, type Web } from './stack';
import { expect, test } from './test';

/** What a visitor reads in each state: the pill's word and the headline. */
const EXPECTED: Record<Scene, [string, RegExp]> = {
  open: ['Open', /^No waiting room$/],
  live: ['Waiting room', /^Live for 4 min \d\d s$/],
  suspected: ['Waiting room?', /^Possible waiting room$/],
  unknown: ['Unknown', /^We could not tell$/],
  stopped: ['Paused', /^Monitoring is switched off$/],
  resting: ['Resting', /^Back at \d\d:00 (today|tomorrow)$/],
  offline: ['Offline', /^Checks are interrupted$/],
  'no-check-yet': ['Not seen yet', /^The first check is on its way$/],
};

let folder: string;
let db: Database;
let web: Web;

// A web process of its own: the shared stack's daemon would overwrite what these tests write.
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-states-'));
  const environment = { DATA_DIR: folder, NODE_ENV: 'production', SANDBOX: '1' };
  await runTool('migrate', [], environment, folder);
  db = openDatabase(join(folder, 'packwatch.db'));
  web = await startWeb(environment, folder);
});

test.afterAll(async () => {
  await web.running.stop();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

for (const scene of SCENES) {
  test(`the live card when the monitor is: ${scene} @scripts`, async ({ page, request }) => {
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
    if (scene === 'stopped') await expect(lede).toContainText('Monitoring is switched off right now.');
    else if (scene !== 'offline') await expect(lede).toContainText('checks the shop every minute');

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await accessibilityFaults(page, { within: 'article' }), colorScheme).toEqual([]);
    }
  });
}

test('the page that the free alert links to shows the stored state of the waiting room @scripts', async ({
  page,
}) => {
  const room = page.locator('[data-waiting-room]');
  const path = `${web.url}/restock/pokemon-center-uk?name=Free+cards`;
  await setScene(db, 'live', Date.now());
  await page.goto(path);
  await expect(room).toHaveText(
    'The waiting room is open. Premium members were notified 30 seconds earlier.',
  );
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

test('a live alert shows when each audience was notified @scripts', async ({ page }) => {
  await setScene(db, 'live', Date.now());
  await page.goto(web.url);
  const card = page.getByRole('article', { name: 'Live monitor' });
  for (const audience of ['Pro told', 'Everyone told']) {
    await expect(card.locator('dt', { hasText: audience }).locator('+ dd time')).toHaveText(
      /^\d\d:\d\d:\d\d$/,
    );
  }
});

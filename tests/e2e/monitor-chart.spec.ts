import { DEFAULT_WATCH_ID } from '#shared/brand';
import { DAY, MINUTE, SECOND, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { addManyChecks } from '../integration/monitor/many-checks';
import { startAdminWeb, type AdminWeb } from './admin-web';
import { expectNoFaults } from './page-quality';
import { expect, test } from './test';

/** A day at the shortest interval. */
const CHECKS = DAY / (15 * SECOND);
const PAGE_LIMIT_BYTES = 150 * 1024;
const DRAW_LIMIT_MS = 300;
/** How many times as long a phone takes. */
const SLOW_PHONE = 4;

let admin: AdminWeb;
let openedAt: string;

test.beforeAll(async () => {
  admin = await startAdminWeb('chart');
  const now = Date.now();
  await addManyChecks(admin.db, { count: CHECKS, newest: now - 5 * SECOND });
  openedAt = toIso(now - 100 * MINUTE);
  const { id } = await admin.db
    .selectFrom('monitor_checks')
    .select('id')
    .where('verdict', '=', 'waiting_room')
    .orderBy('check_timestamp', 'desc')
    .executeTakeFirstOrThrow();
  await admin.db
    .insertInto('alerts')
    .values({
      id: newId(),
      watch_id: DEFAULT_WATCH_ID,
      target_url: 'https://shop.example/',
      status: 'closed',
      strength: 'strong',
      opened_at: openedAt,
      last_seen_at: toIso(now - 70 * MINUTE),
      closed_at: toIso(now - 65 * MINUTE),
      close_reason: null,
      suspended_at: null,
      revision: 1,
      opening_check_id: id,
      closing_check_id: null,
    })
    .execute();
});

/** Two more watches: one with an open alert, one in another time zone that is stopped. */
async function addWatches(): Promise<void> {
  const now = Date.now();
  for (const [slug, running] of [
    ['second-shop', 1],
    ['third-shop', 0],
  ] as const)
    await admin.db
      .insertInto('watches')
      .values({
        id: newId(),
        slug,
        shop: slug,
        title: `Elite boxes at the ${slug.replace('-', ' ')}`,
        url: `https://${slug}.example/`,
        time_zone: running === 1 ? 'Europe/London' : 'America/New_York',
        hours: '0-24',
        interval_seconds: 60,
        running,
        last_verdict: 'waiting_room',
        last_checked_at: toIso(now - 20 * SECOND),
      })
      .execute();
  await admin.db
    .insertInto('daemon_heartbeats')
    .values({
      id: newId(),
      host: 'test',
      pid: 1,
      started_at: toIso(now),
      beat_at: toIso(now + 15 * SECOND),
      stopped_at: null,
      redis_ok: 1,
    })
    .execute();
}

test.afterAll(() => admin.stop());

test.beforeEach(({ context }) =>
  context.addCookies([
    { name: 'packwatch_session', value: admin.token, url: admin.web.url },
    {
      name: 'cookie-consent',
      value: encodeURIComponent('{"necessary":true,"analytics":false,"marketing":false}'),
      url: admin.web.url,
    },
  ]),
);

test('a day at the shortest interval is a small page and is drawn at once on a slow phone', async ({
  page,
  request,
}) => {
  const html = await (
    await request.get(`${admin.web.url}/dashboard/monitor`, { headers: { Cookie: admin.cookie } })
  ).text();
  expect(html.includes('5,760 checks: ')).toBe(true);
  expect(Buffer.byteLength(html)).toBeLessThan(PAGE_LIMIT_BYTES);

  await page.setViewportSize({ width: 360, height: 800 });
  const devTools = await page.context().newCDPSession(page);
  await page.goto(`${admin.web.url}/dashboard/monitor`);
  // Processor time, so that a busy machine changes nothing.
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyMs = async () => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * SECOND;
  };
  const before = await busyMs();
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const drawing = document.querySelector('figure svg');
    const place = drawing?.parentElement;
    if (drawing == null || place == null) throw new Error('there is no drawing');
    const text = drawing.outerHTML;
    drawing.remove();
    await frame();
    // Parsed, laid out and painted anew.
    place.insertAdjacentHTML('afterbegin', text);
    await frame();
  });
  const drawnMs = (await busyMs()) - before;
  expect(SLOW_PHONE * drawnMs).toBeLessThan(DRAW_LIMIT_MS);
});

test('pointer, finger and keyboard give the values of the drawing', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${admin.web.url}/dashboard/monitor`);
  const panel = page.getByRole('region', { name: 'The last 24 hours' });
  const values = panel.locator('figcaption');
  const slider = panel.getByRole('slider', { name: 'Values of the chart' });
  const readAt = async (share: number): Promise<string> => {
    const { x, y, width, height } = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width * share, y + height / 2);
    await expect(values).toContainText(/^\d\d:\d\d to \d\d:\d\d/);
    return values.innerText();
  };
  await slider.scrollIntoViewIfNeeded();
  const left = await readAt(0.3);
  expect(left).toMatch(/checks · 3?\d\d ms, from \d+ ms to \d+ ms$|checks: /);
  expect(await readAt(0.6)).not.toBe(left);
  await page.mouse.move(0, 0);
  await expect(values).toContainText('Times are UK time.');

  const devTools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share = 0) =>
    devTools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + box.width * share, y: box.y + 40 }],
    });
  const box = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0 };
  await touch('touchStart', 0.3);
  await expect(values).toHaveText(left);
  await touch('touchMove', 0.35);
  await expect(values).not.toHaveText(left);
  await touch('touchEnd');
  // The values stay when the finger is gone, and the admin's section has not changed.
  await expect(values).toContainText(/^\d\d:\d\d to/);
  await expect(page).toHaveURL(/monitor$/);

  await slider.focus();
  const minuteOf = async () => (await slider.getAttribute('aria-valuetext'))?.slice(0, 5);
  const before = await minuteOf();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(minuteOf).not.toBe(before);
  await page.keyboard.press('ArrowRight');
  await expect.poll(minuteOf).toBe(before);
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuenow', '0');
  await page.keyboard.press('PageUp');
  await expect(slider).toHaveAttribute('aria-valuenow', '12');
});

test('the pages of the monitor are free of faults, and its forms answer on them', async ({ page }) => {
  const check = await admin.db
    .selectFrom('monitor_checks')
    .select('id')
    .where('verdict', '=', 'waiting_room')
    .executeTakeFirstOrThrow();
  const screen = `${admin.web.url}/dashboard/monitor`;
  for (const path of [
    '',
    '?debug=1',
    `/${DEFAULT_WATCH_ID}/checks/${check.id}`,
    `/${DEFAULT_WATCH_ID}/edit`,
    '/new',
  ]) {
    await page.goto(screen + path);
    if (path === '') await page.getByText('The chart as a table').first().click();
    await expectNoFaults(page);
  }
  await addWatches();
  for (const path of ['', '/second-shop/delete']) {
    await page.goto(screen + path);
    await expectNoFaults(page);
  }
  // The page of the deletion leads back to the list, which says what happened.
  await page.getByRole('button', { name: 'Delete watch' }).click();
  await expect(page).toHaveURL(/monitor$/);
  await expect(page.getByRole('status')).toHaveText('Elite boxes at the second shop is deleted.');
  const row = page.getByRole('article', { name: 'Elite boxes at the third shop' });
  await expect(row.getByText('Stopped')).toBeVisible();
  await row.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('status')).toHaveText('Elite boxes at the third shop: Monitoring started.');
  await expect(row.getByRole('button', { name: 'Stop' })).toBeVisible();

  await page.getByRole('link', { name: 'Add a watch' }).click();
  await page.getByRole('textbox', { name: 'Shop' }).fill('Card Shop');
  await page.getByRole('textbox', { name: 'Title' }).fill('Elite boxes');
  await page.getByLabel('Address of the page').fill('http://127.0.0.1:1/');
  await page.getByLabel('Instant webhook').fill('https://discord.com/api/webhooks/1/token');
  await page.getByRole('button', { name: 'Add watch' }).click();
  await expect(page.getByLabel('Address of the page')).toHaveAccessibleDescription(/public internet/);
  await expect(page.getByLabel('Title')).toHaveValue('Elite boxes');
});

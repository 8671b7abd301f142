import { DEFAULT_WATCH_ID } from '#shared/brand';
import { DAY, MINUTE, SECOND, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { addManyChecks } from '../integration/many-checks';
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

test('a day at the shortest interval is a small page and is drawn at once on a slow phone @scripts', async ({
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
  await page.goto(`${admin.web.url}/dashboard/monitor`);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.screenshot({ path: '/tmp/g-shots/one-1280-light.png', fullPage: true });
  const panel = page.getByRole('region', { name: 'The last 24 hours' });
  await panel.screenshot({ path: '/tmp/g-shots/chart-1280-light.png' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await panel.screenshot({ path: '/tmp/g-shots/chart-1280-dark.png' });
  await page.setViewportSize({ width: 360, height: 800 });
  await panel.screenshot({ path: '/tmp/g-shots/chart-360-dark.png' });
  await page.emulateMedia({ colorScheme: 'light' });
  await panel.screenshot({ path: '/tmp/g-shots/chart-360-light.png' });
  await expectNoFaults(page);
});

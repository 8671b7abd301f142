import type { Page } from 'playwright/test';
import { restockLink } from '#shared/alerts/render-discord-message';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { toIso } from '#shared/clock';
import { withDatabase } from './news-data';
import { expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { expect, MODES, test } from './test';

const PARAMETERS = ['name', 'price', 'image', 'retailer', 'source', 'username'] as const;

/** An address of the restock page. */
function restock(parameters: Partial<Record<(typeof PARAMETERS)[number], string>> = {}, id = 'ps5'): string {
  return `/restock/${id}?${new URLSearchParams(parameters)}`;
}

/** Every request that leaves our own site. The hosts of these tests do not exist (RFC 2606). */
function watchRequests(page: Page, siteUrl: string): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (/^(https?|wss?):/.test(url) && new URL(url).origin !== siteUrl) requests.push(url);
  });
  return requests;
}

/** One transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

test('an address that says nothing shows the defaults, the banner and two ways on @no-scripts', async ({
  page,
}) => {
  await page.goto(restock());
  await expect(
    page.getByText('This product is now in stock! Premium members were notified 30 seconds earlier.'),
  ).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('PlayStation 5 Console');
  await expect(page.getByText('£399.99', { exact: true })).toBeVisible();
  await expect(page.getByText('Argos', { exact: true })).toBeVisible();
  for (const link of await page.getByRole('link', { name: 'Get Premium Access' }).all())
    await expect(link).toHaveAttribute('href', '/#pricing');
  await expect(page.getByRole('link', { name: 'Continue to Product' })).toHaveAttribute('href', '/');
  await expect(page.getByText(/^Hello|^Shared via/)).toHaveCount(0);
});

test('the address says what is shown @no-scripts', async ({ page }) => {
  await page.goto(
    restock({
      name: 'Elite Trainer Box',
      price: '£54.99',
      retailer: 'Smyths Toys',
      source: 'a friend',
      username: 'Ash',
    }),
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Elite Trainer Box');
  await expect(page.getByText('£54.99', { exact: true })).toBeVisible();
  await expect(page.getByText('Smyths Toys', { exact: true })).toBeVisible();
  await expect(page.getByText('Hello, Ash.')).toBeVisible();
  await expect(page.getByText('Shared via a friend.')).toBeVisible();
});

test('the table compares Free with Premium @no-scripts', async ({ page }) => {
  await page.goto(restock());
  const table = page.getByRole('table', { name: 'Free and Premium compared' });
  await expect(table.getByRole('columnheader')).toHaveText(['You get', 'Free', 'Premium']);
  const rows = await table
    .getByRole('row')
    .evaluateAll((all) =>
      all.slice(1).map((row) => [...(row as HTMLTableRowElement).cells].map((cell) => cell.textContent)),
    );
  expect(rows).toEqual([
    ['Restock notifications', 'Delayed (30 secs)', 'Instant'],
    ['Channels', 'Discord only', 'Discord, SMS, Email'],
    ['AIO Bot', 'No', 'Yes'],
    ['Price history', 'Basic', 'Advanced'],
    ['Support', 'Standard', 'Priority'],
  ]);
  await expect(table.getByRole('rowheader')).toHaveCount(5);
  await expect(page.getByText('SMS is planned')).toBeVisible();
});

test('three members are quoted, next to the number of members @no-scripts', async ({ page }) => {
  await page.goto(restock());
  await expect(page.getByRole('blockquote')).toHaveCount(3);
  await expect(page.getByText('over 10,000 premium members')).toBeVisible();
});

for (const mode of MODES) {
  test(`premium leads to the prices${mode}`, async ({ page }) => {
    await page.goto(restock());
    await page.getByRole('link', { name: 'Get Premium Access' }).first().click();
    await expect(page).toHaveURL('/#pricing');
    await expect(page.getByRole('heading', { name: 'Beta pricing' })).toBeInViewport();
  });
}

test('the link of the free alert leads here, and on to the shop itself @no-scripts', async ({
  page,
  stack,
}) => {
  // The stand-in shop has no icon, and browsers ask for one.
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  await page.goto(restockLink(stack.siteUrl));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pokemon Center UK waiting room');
  await expect(page).toHaveTitle('Waiting room alert · Packwatch');
  await expect(page.getByText('Shared via discord.')).toBeVisible();
  await page.getByRole('link', { name: 'See the shop' }).click();
  await expect(page).toHaveURL(stack.sandbox.shopUrl);
});

// It once said "This product is now in stock!" and counted down five minutes, whatever the monitor saw.
test('the page of a watch shows the monitor’s state of its waiting room @no-scripts', async ({
  page,
  stack,
}) => {
  // Other tests of this worker open alerts.
  await withDatabase(stack.dataDir, async (db) => {
    await db.deleteFrom('alerts').execute();
    const checked = { last_checked_at: toIso(Date.now()) };
    await db.updateTable('watches').set(checked).where('id', '=', DEFAULT_WATCH_ID).execute();
  });
  await page.goto(restockLink(stack.siteUrl));
  await expect(page.locator('[data-waiting-room]')).toHaveText('No waiting room has been seen here yet.');
  await expect(page.getByRole('article', { name: 'Live monitor' })).toBeVisible();
  await expect(page.getByText(/in stock/i)).toHaveCount(0);
  await expect(page.getByRole('timer')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Continue to Product' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Get Premium Access' }).first()).toHaveAttribute(
    'href',
    '/#pricing',
  );
});

test('our own record of a product wins over the address', async ({ page, stack }) => {
  const requests = watchRequests(page, stack.siteUrl);
  await page.goto(
    restock({ name: 'Free cards', price: '£0.01', image: 'https://evil.example/a.png' }, 'pokemon-center-uk'),
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pokemon Center UK waiting room');
  await expect(page.getByText('£0.01')).toHaveCount(0);
  await expect(page.locator('main img')).toHaveCount(0);
  expect(requests).toEqual([]);
});

test('an image is loaded over https without a referrer, on this page only', async ({ page, request }) => {
  const referrers: (string | undefined)[] = [];
  await page.route('https://cdn.example/**', (route) => {
    referrers.push(route.request().headers().referer);
    return route.fulfill({ contentType: 'image/gif', body: PIXEL });
  });
  await page.goto(restock({ image: 'https://cdn.example/box.gif' }));
  const picture = page.locator('main img');
  await expect(picture).toHaveAttribute('src', 'https://cdn.example/box.gif');
  await expect(picture).toHaveJSProperty('naturalWidth', 1);
  expect(referrers).toEqual([undefined]);

  const policyOf = async (path: string) =>
    /img-src[^;]*/.exec((await request.get(path)).headers()['content-security-policy'] ?? '')?.[0];
  expect(await policyOf('/restock/ps5')).toBe("img-src 'self' data: https:");
  expect(await policyOf('/')).toBe("img-src 'self' data:");
});

for (const mode of MODES) {
  test(`an image that does not load is replaced by the placeholder${mode}`, async ({
    page,
    javaScriptEnabled,
  }) => {
    await page.route('https://cdn.example/**', (route) =>
      route.fulfill({ contentType: 'image/png', body: 'not a picture' }),
    );
    await page.goto(restock({ image: 'https://cdn.example/broken.png' }));
    await expect(page.locator('main .binder svg').first()).toBeVisible();
    // Without scripts the broken picture stays and, having no words, draws nothing over the placeholder.
    await expect(page.locator('main img')).toHaveCount(javaScriptEnabled === false ? 1 : 0);
  });
}

test('image addresses without https are never requested', async ({ page, stack }) => {
  const requests = watchRequests(page, stack.siteUrl);
  for (const image of [
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'http://evil.example/a.png',
    '//evil.example/a.png',
    '/logout',
    'https:evil.example/a.png',
    'https://ash:pikachu@evil.example/a.png',
    `https://evil.example/${'a'.repeat(3_000)}`,
    '"><img src=https://evil.example/a.png onerror=alert(1)>',
  ]) {
    await page.goto(restock({ image }));
    await expect(page.locator('main img'), image).toHaveCount(0);
    await expect(page.locator('main .binder svg').first()).toBeVisible();
  }
  expect(requests).toEqual([]);
});

test('script in any parameter is text, and runs nowhere', async ({ page, stack }) => {
  const requests = watchRequests(page, stack.siteUrl);
  page.on('dialog', () => {
    throw new Error('a parameter ran');
  });
  for (const payload of [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</script><svg onload=alert(1)>',
    "'-alert(1)-'",
    '{{constructor.constructor("alert(1)")()}}',
    '<!--<script>alert(1)',
    '</title><script>alert(1)</script>',
    '<a href="javascript:alert(1)">here</a>',
  ]) {
    await page.goto(restock(Object.fromEntries(PARAMETERS.map((name) => [name, payload]))));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(payload);
    await expect(page.getByText(`Hello, ${payload}.`)).toBeVisible();
    expect(await page.locator('main script, main a[href^="javascript"], main [onload]').count()).toBe(0);
    await expect(page).toHaveTitle('Restock alert · Packwatch');
  }
  expect(requests).toEqual([]);
});

test('words of any length and direction stay in their place @no-scripts', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(
    restock({
      name: 'W'.repeat(3_000),
      price: '9'.repeat(3_000),
      retailer: 'm'.repeat(3_000),
      username: '\u202eevil\u0000',
      source: 's'.repeat(3_000),
    }),
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${'W'.repeat(119)}…`);
  await expect(page.getByText('Hello, evil.')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('an odd product id never breaks the page', async ({ page, request }) => {
  // Remix says on the console that it cannot read this one; the page comes all the same.
  expect((await request.get(restock({}, '%E0%A4%A'))).status()).toBe(200);
  for (const id of ['x'.repeat(4_000), '%F0%9F%8E%B4', '%00', '..%2f..%2fetc', '%3Cscript%3E', '__proto__']) {
    const answer = await page.goto(restock({}, id));
    expect(answer?.status(), id).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('PlayStation 5 Console');
  }
});

test('search engines leave it out, and it names one address @no-scripts', async ({ request, stack }) => {
  const answer = await request.get(`${restock({ name: 'Elite Trainer Box' })}&utm=1`, {
    headers: { 'X-Forwarded-Host': 'evil.example' },
  });
  const html = await answer.text();
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).toContain(`rel="canonical" href="${stack.siteUrl}/restock/ps5"`);
  expect(html).toContain('<title>Restock alert · Packwatch</title>');
  expect(html).not.toContain('evil.example');
});

test('without scripts the countdown shows five minutes @no-scripts', async ({ page }) => {
  await page.goto(restock());
  await expect(page.getByRole('timer', { name: 'Time left to decide' })).toHaveText('05:00');
});

test('the countdown runs for five minutes and stops at nothing @own-context', async ({ page }) => {
  await page.clock.install();
  await page.goto(restock());
  const timer = page.getByRole('timer', { name: 'Time left to decide' });
  await expect(timer).toHaveText(/^04:\d\d$/);
  // From here on time passes only when the test says so.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
  const secondsLeft = async () => {
    const [minutes = NaN, seconds = NaN] = (await timer.innerText()).split(':').map(Number);
    return minutes * 60 + seconds;
  };
  const paused = await secondsLeft();
  await page.clock.runFor('01:00');
  await expect.poll(secondsLeft).toBe(paused - 60);
  // A tab that slept: no tick came, and the time passed all the same.
  await page.clock.fastForward('02:30');
  await expect.poll(secondsLeft).toBe(paused - 210);
  await page.clock.runFor('02:00');
  await expect(timer).toHaveText('00:00');
  await page.clock.fastForward('10:00');
  await expect(timer).toHaveText('00:00');
});

test('the countdown is not read aloud each second', async ({ page }) => {
  await page.goto(restock());
  await expect(page.getByRole('timer')).not.toHaveAttribute('aria-live', /.*/);
  await expect(page.locator('main [aria-live], main [role="status"], main [role="alert"]')).toHaveCount(0);
});

test('no accessibility fault, and nothing wider than the screen', async ({ page, stack }) => {
  await page.goto(restock({ username: 'Ash', source: 'discord' }));
  await expectNoFaults(page);
  await page.goto(restockLink(stack.siteUrl));
  await expectNoFaults(page);
});

for (const width of [360, 1280]) {
  test(`nothing moves while it loads and counts at ${width} pixels @own-context`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.route('https://cdn.example/**', (route) =>
      route.fulfill({ contentType: 'image/png', body: 'not a picture' }),
    );
    await watchLayout(page);
    await page.goto(restock({ image: 'https://cdn.example/broken.png' }));
    await expect(page.getByRole('timer')).toHaveText(/^04:5[0-8]$/);
    expect(await layoutShifts(page)).toEqual([]);
  });
}

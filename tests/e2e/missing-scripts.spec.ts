import type { Page } from 'playwright/test';
import { enterWithBeta } from './membership-data';
import { enterAs, goThroughDiscord, joinDiscord, newPerson, waitForCode } from './people';
import { showAgain } from './show-again';
import { expect, test } from './test';

/** Browsers note each missing file. */
test.use({ notedFaults: /status of 404/ });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const MISSING = 'This page did not load';

/** Removes the script of a route, as a release does. Returns the documents that are requested from now on. */
async function removeScript(page: Page, name: string) {
  const documents: string[] = [];
  const files = new RegExp(`/assets/${name}-[\\w-]{8}\\.js`);
  await page.route(files, (route) => route.fulfill({ status: 404, body: 'gone' }));
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  return {
    documents,
    tried: () => page.waitForResponse((response) => files.test(response.url())),
    restore: () => page.unroute(files),
  };
}

async function openSignup(page: Page): Promise<void> {
  await page.locator('main summary').click();
  await page.locator('main a[href="/signup"]').click();
}

test('a page whose script is gone is opened as a document once, then offers another try', async ({
  page,
}) => {
  await page.goto('/login');
  const script = await removeScript(page, 'signup');
  await openSignup(page);
  await expect(page).toHaveURL('/signup');
  await expect(heading(page)).toBeVisible();
  await expect(heading(page)).not.toHaveText(MISSING);
  expect(script.documents).toEqual(['/signup']);

  await page.goto('/login');
  await openSignup(page);
  await expect(heading(page)).toHaveText(MISSING);
  await expect(page).toHaveURL('/signup');
  await expect(page).toHaveTitle(/^This page did not load/);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect(script.documents).toEqual(['/signup', '/login']);

  await script.restore();
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(heading(page)).not.toHaveText(MISSING);
  expect(script.documents).toEqual(['/signup', '/login', '/signup']);
});

test('a link to a page whose script is gone can be pointed at, and leaves the frame of its page', async ({
  page,
  stack,
}) => {
  await enterAs(page, stack, 'admin');
  await page.goto('/dashboard/members');
  const script = await removeScript(page, 'dashboard');
  const link = page.getByRole('link', { name: 'Admin dashboard' });
  const tried = script.tried();
  await link.hover();
  await tried;
  await expect(heading(page)).not.toHaveText(MISSING);
  expect(script.documents).toEqual([]);
  await link.click();
  await expect(page).toHaveURL('/dashboard');
  await expect(heading(page)).not.toHaveText(MISSING);
  expect(script.documents).toEqual(['/dashboard']);
});

test('a part of a page whose script is gone leaves the frame of the page', async ({ page, stack }) => {
  await enterAs(page, stack, 'admin');
  await page.goto('/dashboard/monitor');
  const script = await removeScript(page, 'beta-access');
  const next = () => page.locator('nav a[href="/dashboard/beta-access"]').first().click();
  await next();
  await expect(page).toHaveURL('/dashboard/beta-access');
  await expect.poll(() => script.documents).toEqual(['/dashboard/beta-access']);
  await page.goto('/dashboard/monitor');
  await next();
  await expect(page.getByRole('main').getByRole('heading', { name: MISSING })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Admin sections' })).toBeVisible();
});

test('a page without any of its scripts says so, and pays as without scripts', async ({ page, stack }) => {
  await enterWithBeta(page, stack);
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404, body: 'gone' }));
  // Its scripts never listen.
  await page.goto('/dashboard/subscription?pay=pro-monthly', { waitUntil: 'load' });
  await expect(page.getByText('Parts of this page did not load.')).toBeVisible();
  await expect(page.getByText('Creating Payment...')).toBeHidden();
  await page.getByRole('button', { name: 'Pay on Stripe’s page' }).click();
  await expect.poll(() => new URL(page.url()).origin).toBe(stack.sandbox.origin);
  await page.unroute('**/assets/*.js');
  await page.goto('/dashboard/subscription');
  await expect(page.getByText('Parts of this page did not load.')).toBeHidden();
});

test('a document that does not arrive in place of a page whose script is gone leaves no loading bar', async ({
  page,
}) => {
  await page.goto('/login');
  await removeScript(page, 'signup');
  // The browser stays on its page (RFC 9110, section 15.3.5).
  await page.route('/signup', (route) => route.fulfill({ status: 204 }));
  const left = page.waitForRequest('/signup');
  // The request for a passkey's challenge is answered afterwards, and asks for the page's script again.
  await page.route(/\/login(?:\.data)?(?:\?|$)/, async (route) => {
    if (route.request().method() === 'POST') await left;
    await route.continue();
  });
  const challenge = page.waitForResponse((response) => response.request().method() === 'POST');
  await openSignup(page);
  await left;
  await challenge;
  const bar = page.getByRole('progressbar', { name: 'Loading' });
  await expect(bar).toBeVisible();
  await showAgain(page);
  await expect(bar).toHaveCount(0);
  await expect(page).toHaveURL('/login');
});

test('without a connection a page whose script is not there is not left for the browser’s error page', async ({
  page,
}) => {
  await page.goto('/login');
  const script = await removeScript(page, 'signup');
  await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));
  await openSignup(page);
  await expect(heading(page)).toHaveText(MISSING);
  expect(script.documents).toEqual([]);
});

test('a form whose script is gone is sent by the browser, and signs in', async ({ page, stack }) => {
  const person = newPerson();
  await joinDiscord(stack, person);
  await page.goto('/login');
  await goThroughDiscord(page, stack, person.persona);
  await expect(page).toHaveURL('/login?step=verify');
  const sent = await waitForCode(stack, person.email);
  const script = await removeScript(page, 'login');
  const tried = script.tried();
  await page.goto('/?auth=verify');
  await tried;
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Verification code').fill(sent === '135790' ? '135791' : '135790');
  await dialog.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page.getByRole('alert')).toContainText('code');
  await page.getByLabel('Verification code').fill(sent);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page).toHaveURL('/dashboard');
});

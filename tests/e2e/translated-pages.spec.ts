import type { ConsoleMessage, Page } from 'playwright/test';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { subscribe } from '../paid-accounts';
import { interceptRequests, type Intercept } from './intercept-requests';
import { pagesOf, ROLES } from './page-list';
import { enterAs, joinDiscord, newPerson, waitForCode } from './people';
import { expect, test } from './test';
import { translatePage } from './translate-page';
import { startWideSite, type WideSite } from './wide-site';

/**
 * The browser logs requests without an answer, React the faults that a part has recovered from, and Remix a response that it
 * stops reading because the next page was requested.
 */
test.use({ notedFaults: /^Failed to load resource: |NotFoundError|^AbortError/ });

let site: WideSite;

test.beforeAll(async () => {
  site = await startWideSite();
});

test.afterAll(() => site.stop());

/**
 * Presses the first button, opener of a dialog or summary that is not among `pressed`, and waits until React has shown
 * what came of it. Returns what it pressed, or null after the last one. What is around the main part of the page is the
 * same on all pages.
 */
function pressNext(page: Page, pressed: string[]): Promise<string | null> {
  return page.evaluate(async (done) => {
    const nameOf = (element: HTMLElement) =>
      [
        element.closest('main, dialog') === null ? '' : location.pathname,
        element.getAttribute('aria-label') ?? element.textContent,
        element instanceof HTMLButtonElement ? `${element.name}=${element.value}` : element.localName,
      ].join('|');
    const frames = async (count: number) => {
      for (let frame = 0; frame < count; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    };
    const findNext = () => {
      const dialog = document.querySelector('dialog:modal');
      // Links to this page with a parameter open a dialog of it.
      const selector = `button:enabled, summary, main a[href^="${location.pathname}?"], main a[href^="?"]`;
      return [...(dialog ?? document).querySelectorAll<HTMLElement>(selector)].find(
        (element) => element.checkVisibility() && !done.includes(nameOf(element)),
      );
    };
    let next = findNext();
    const dialog = document.querySelector('dialog:modal');
    if (next === undefined && dialog !== null) {
      dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
      for (let waited = 0; dialog.isConnected && waited < 120; waited += 1) await frames(1);
      next = findNext();
    }
    if (next === undefined) return null;
    const name = nameOf(next);
    // A form is sent whatever its fields hold.
    if (next instanceof HTMLButtonElement && next.form !== null) next.form.noValidate = true;
    const { search } = location;
    let opens = next instanceof HTMLAnchorElement;
    const note = (event: Event) => (opens &&= event.defaultPrevented);
    if (opens) window.addEventListener('click', note, { once: true });
    next.click();
    for (let waited = 0; opens && location.search === search && waited < 120; waited += 1) await frames(1);
    // The busy state, then the answer.
    await frames(4);
    return name;
  }, pressed);
}

/**
 * Answers what a button sends. Links and forms that lead to another document leave this one as it is: so does an empty
 * answer (RFC 9110, section 15.3.5).
 */
const stayHere: Parameters<Intercept>[0] = ({ method, isDocument }) =>
  isDocument ? { status: 204, body: '' } : method === 'GET' ? 'send' : 'cut';

/** Presses each button of the page that is not among `pressed`, in whatever state the ones before have left it. */
async function pressEach(
  page: Page,
  { path, pressed, intercept }: { path: string; pressed: string[]; intercept: Intercept },
): Promise<void> {
  const open = async () => {
    await intercept(null);
    await page.goto(site.url + path);
    await intercept(stayHere);
    await translatePage(page);
  };
  const faults: string[] = [];
  const note = (message: ConsoleMessage) => {
    if (message.text().includes('NotFoundError')) faults.push(message.text());
  };
  page.on('console', note);
  await open();
  const { pathname } = new URL(page.url());
  for (;;) {
    const button = await pressNext(page, pressed);
    // Also a part that was rendered again has failed: React logs it.
    expect(faults, `${path}: ${button}`).toEqual([]);
    await expect(page.locator('h1').first(), `${path}: ${button}`).not.toHaveText('This page did not load');
    if (button === null) {
      page.off('console', note);
      return;
    }
    pressed.push(button);
    if (new URL(page.url()).pathname !== pathname) {
      await open();
    }
  }
}

for (const role of ROLES) {
  test(`each button of a translated page can be pressed: ${role}`, async ({ page }) => {
    if (role !== 'visitor')
      await page
        .context()
        .addCookies([{ name: PLAIN_SESSION_COOKIE, value: site.tokens[role], url: site.url }]);
    const pressed: string[] = [];
    const paths = pagesOf(role, site.ids);
    if (role === 'member') await subscribe(site.db, site.ids.account);
    const intercept = await interceptRequests(page);
    for (const path of paths) await pressEach(page, { path, pressed, intercept });
    expect(pressed.length).toBeGreaterThan(paths.length);
  });
}

test('a person signs in on translated pages', async ({ page, stack }) => {
  const person = newPerson();
  await joinDiscord(stack, person);
  await page.goto('/login');
  await translatePage(page);
  await page.getByRole('button', { name: 'Sign in with Discord' }).click();
  await page.waitForURL(`${stack.sandbox.origin}/**`);
  await page.locator(`#persona-${person.persona}`).click();
  await expect(page).toHaveURL('/login?step=verify');
  await page.reload();
  await translatePage(page);
  const code = await waitForCode(stack, person.email);
  const field = page.getByLabel('Verification code');
  await field.fill('000000' === code ? '000001' : '000000');
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await field.fill(code);
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('a form that is being sent outlives a fault of its part, with what was typed', async ({
  page,
  stack,
}) => {
  await enterAs(page, stack, 'member');
  await page.goto('/account');
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Ash K.');
  const save = page.getByRole('button', { name: 'Save name' });
  // An extension that replaces the content of the button: React cannot put the spinner before it.
  await save.evaluate((button) => {
    button.textContent = 'Save name';
  });
  const fault = page.waitForEvent('console', (message) => message.text().includes('NotFoundError'));
  await save.click();
  await fault;
  await expect(page.getByRole('status').first()).toBeVisible();
  await expect(name).toHaveValue('Ash K.');
  await page.reload();
  await expect(name).toHaveValue('Ash K.');
});

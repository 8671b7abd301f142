import type { ConsoleMessage, Page } from 'playwright/test';
import { pagesOf, ROLES } from './page-list';
import { enterAs, joinDiscord, newPerson, signInAdmin, waitForCode } from './people';
import { expect, test } from './test';
import { translatePage } from './translate-page';

/** The browser logs requests without an answer, and React the faults that a part has recovered from. */
test.use({ notedFaults: /^Failed to load resource: |NotFoundError/ });

/**
 * Presses the first button that is not among `pressed`, and waits until React has shown what came of it. Returns the
 * button, or null after the last one. Buttons around the main part of the page are the same on all pages.
 */
function pressNext(page: Page, pressed: string[]): Promise<string | null> {
  return page.evaluate(async (done) => {
    const nameOf = (button: HTMLButtonElement) =>
      [
        button.closest('main, dialog') === null ? '' : location.pathname,
        button.getAttribute('aria-label') ?? button.textContent,
        `${button.name}=${button.value}`,
      ].join('|');
    const inDialog = document.querySelector('dialog:modal');
    const button = [...(inDialog ?? document).querySelectorAll('button')].find(
      (candidate) => candidate.checkVisibility() && !candidate.disabled && !done.includes(nameOf(candidate)),
    );
    if (button === undefined) return null;
    const name = nameOf(button);
    // A form is sent whatever its fields hold.
    if (button.form !== null) button.form.noValidate = true;
    button.click();
    // The busy state, then the answer.
    for (let frame = 0; frame < 4; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return name;
  }, pressed);
}

/** Presses each button of the page that is not among `pressed`, in whatever state the ones before have left it. */
async function pressEach(page: Page, path: string, pressed: string[]): Promise<void> {
  const faults: string[] = [];
  const note = (message: ConsoleMessage) => {
    if (message.text().includes('NotFoundError')) faults.push(message.text());
  };
  page.on('console', note);
  await page.goto(path);
  await translatePage(page);
  const { pathname } = new URL(page.url());
  for (;;) {
    const button = await pressNext(page, pressed);
    if (button === null) {
      page.off('console', note);
      return;
    }
    pressed.push(button);
    // Also a part that was rendered again has failed: React logs it.
    expect(faults, `${path}: ${button}`).toEqual([]);
    await expect(page.locator('h1').first(), `${path}: ${button}`).not.toHaveText('This page did not load');
    if (new URL(page.url()).pathname !== pathname) {
      await page.goto(path);
      await translatePage(page);
    }
  }
}

for (const role of ROLES) {
  test(`each button of a translated page can be pressed: ${role}`, async ({ page, stack }) => {
    if (role === 'member') await enterAs(page, stack, 'member');
    if (role === 'admin') await signInAdmin(page, stack);
    await page.route('**/*', (route) => {
      const request = route.request();
      // An empty answer leaves the document as it is: a button, too, may lead to another one by GET.
      const leaves = new URL(request.url()).pathname.startsWith('/api/');
      if (request.isNavigationRequest() && (request.method() !== 'GET' || leaves))
        return route.fulfill({ status: 204 });
      return request.method() === 'GET' ? route.continue() : route.abort();
    });
    const pressed: string[] = [];
    const paths = pagesOf(role);
    for (const path of paths) await pressEach(page, path, pressed);
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

import { afterFrame, expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { expect, MODES, test } from './test';

test('the page for developers leads from the footer to a call and its record @no-scripts', async ({
  page,
}) => {
  await page.goto('/status');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Developers' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('For developers');
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'auth' }).click();
  await page.getByRole('link', { name: 'Reads the caller’s own profile' }).first().click();
  const call = page.locator('#call-readProfile');
  await expect(call).toBeInViewport();
  await call.getByRole('link', { name: 'Profile', exact: true }).click();
  await expect(page.locator('#record-Profile')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Copy' })).toHaveCount(0);
});

// Parts far from the screen have estimated heights: the end of the page was thousands of pixels away from where a link led.
test('a link to a record shows it at the top of the screen, from another page and from this one @no-scripts', async ({
  page,
}) => {
  const expectAtTop = (id: string) =>
    expect
      .poll(async () => {
        const top = (await page.locator(id).boundingBox())?.y ?? Number.NaN;
        return top >= 0 && top < 120;
      })
      .toBe(true);
  await page.goto('/developers#record-Profile');
  await expectAtTop('#record-Profile');
  await page.goto('/developers');
  await page.goto('/developers#record-Release');
  await expectAtTop('#record-Release');
});

for (const width of [360, 1280])
  test(`nothing moves on the way to the end and to a part at ${width} pixels @own-context`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await watchLayout(page);
    await page.goto('/developers');
    await page.keyboard.press('End');
    await expect(page.getByRole('contentinfo')).toBeInViewport();
    await afterFrame(page);
    await page.keyboard.press('Home');
    // A press before that would be scrolled away from where it leads.
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    const contents = page.getByRole('navigation', { name: 'On this page' });
    await contents.getByRole('link', { name: 'news', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'news', exact: true })).toBeInViewport();
    await afterFrame(page);
    expect(await layoutShifts(page)).toEqual([]);
  });

for (const mode of MODES)
  test(`Back from another page shows the end where it was left${mode}`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/developers');
    const scroll = () => page.evaluate(() => Math.round(window.scrollY));
    const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' });
    await link.scrollIntoViewIfNeeded();
    const left = await scroll();
    await link.click();
    await expect(page).toHaveURL(/\/privacy$/);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('For developers');
    await expect.poll(scroll).toBe(left);
  });

test('the text is there after a navigation in the browser, and after a change of the theme', async ({
  page,
}) => {
  const call = page.locator('#call-readProfile');
  await page.goto('/developers');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Status' }).click();
  await expect(page).toHaveURL(/\/status$/);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Developers' }).click();
  await expect(call).toContainText('GET /api/auth/user');
  await page.reload();
  await page.getByRole('button', { name: 'Dark theme' }).first().click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(call).toContainText('GET /api/auth/user');
  await expect(page.getByRole('button', { name: 'Copy' }).first()).toBeVisible();
});

test('an example is copied with its button, and the page has no fault', async ({
  page,
  context,
  request,
}) => {
  // Its text is most of the page: it is not in the data of the page once more.
  expect((await (await request.get('/developers')).text()).match(/npx openapi-typescript/g)).toHaveLength(1);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/developers');
  const example = page.locator('.code-block', { hasText: 'npx openapi-typescript' });
  await example.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('status')).toHaveText('Copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^npx openapi-typescript http/);
  // One component renders all calls, and axe takes a minute for all of them: the calls of downloads stay, with the records.
  await page.evaluate(() => {
    const groups = [...document.querySelectorAll('.developer-text > section')];
    for (const group of groups)
      if (!/downloads|Records/.test(group.querySelector('h3')?.textContent ?? '')) group.remove();
  });
  await expectNoFaults(page);
});

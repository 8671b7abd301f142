import { expectNoFaults } from './page-quality';
import { enterAs, signInAdmin, subjectsSentTo } from './people';
import { expect, MODES, test } from './test';

for (const mode of MODES) {
  test(`an admin approves a beta request and revokes the access${mode}`, async ({
    page,
    stack,
    browser,
    javaScriptEnabled,
  }) => {
    const person = await enterAs(page, stack, 'member');
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Request Beta Access' }).click();
    await expect(page.getByText(/^Requested on/)).toBeVisible();

    const context = await browser.newContext({ baseURL: stack.siteUrl, javaScriptEnabled });
    const adminPage = await context.newPage();
    await signInAdmin(adminPage, stack);
    await adminPage.goto('/dashboard/beta-access');
    for (const card of [
      'Total Users',
      'Pending Requests',
      'Approved Users',
      'Total Requests',
      'Approval Rate',
    ])
      await expect(adminPage.getByRole('term').filter({ hasText: card })).toBeVisible();
    const row = adminPage.getByRole('listitem').filter({ hasText: person.email });
    await row.getByRole('button', { name: /^Approve/ }).click();
    await expect(adminPage.getByRole('status')).toHaveText('User approved.');
    await expect(row).toHaveCount(0);
    await page.reload();
    await expect(page.getByText('Beta Access', { exact: true })).toBeVisible();
    await expect(page.getByText('Discord only')).toBeVisible();

    await expect(page.getByRole('heading', { name: 'Where your alerts arrive' })).toBeVisible();
    await expect.poll(() => subjectsSentTo(stack, person.email)).toContain('You are in the Packwatch beta');

    await adminPage.getByRole('link', { name: 'Approved Users' }).click();
    await expect(row).toContainText('Approved');
    await row.getByRole('link', { name: /^Revoke/ }).click();
    const question = adminPage.getByRole('dialog');
    await expect(question).toBeVisible();
    if (javaScriptEnabled) {
      await expectNoFaults(adminPage);
      await adminPage.keyboard.press('Escape');
      await expect(question).toHaveCount(0);
      await expectNoFaults(adminPage);
      await row.getByRole('link', { name: /^Revoke/ }).click();
    }
    await question.getByRole('button', { name: 'Revoke access' }).click();
    await expect(adminPage.getByRole('status')).toHaveText('Beta access revoked.');
    await expect(row).toHaveCount(0);
    await context.close();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Request Beta Access' })).toBeVisible();
  });
}

test('an admin finds an account, disables it and enables it again', async ({ page, stack, browser }) => {
  const person = await enterAs(page, stack, 'member');
  const context = await browser.newContext({ baseURL: stack.siteUrl });
  const adminPage = await context.newPage();
  await signInAdmin(adminPage, stack);
  await adminPage.goto('/dashboard');
  await adminPage.getByRole('link', { name: 'Members', exact: true }).click();
  await adminPage.getByLabel('Email, name or Discord').fill(person.email);
  await adminPage.getByRole('button', { name: 'Find' }).click();
  await adminPage.getByRole('link', { name: 'Disable…' }).click();
  const question = adminPage.getByRole('dialog');
  await expect(question).toBeVisible();
  await expectNoFaults(adminPage);
  await question.getByRole('button', { name: 'Disable account' }).click();
  await expect(adminPage.getByRole('status')).toContainText(`${person.email} is disabled`);
  await expect(question).toHaveCount(0);
  await page.goto('/account');
  await expect(page).toHaveURL(/auth=login/);
  await adminPage.getByRole('button', { name: 'Enable account' }).click();
  await expect(adminPage.getByRole('status')).toContainText(`${person.email} can sign in again.`);
  await expectNoFaults(adminPage);
  await context.close();
});

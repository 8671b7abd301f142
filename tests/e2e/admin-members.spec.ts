import { expectNoFaults } from './page-quality';
import { enterAs, openSession, subjectsSentTo } from './people';
import { expect, MODES, test } from './test';

for (const mode of MODES) {
  test(`an admin mails a member their data, grants tokens and takes them back, and deletes the account${mode}`, async ({
    page,
    stack,
  }) => {
    const { accountId, person } = await openSession(stack, 'member');
    await enterAs(page, stack, 'admin');
    await page.goto(`/dashboard/members/${accountId}`);
    await page.getByRole('button', { name: 'Email the member their data' }).click();
    await expect(
      page.getByText('The archive is being prepared. The link will be emailed to the member.'),
    ).toBeVisible();
    const mails = () => subjectsSentTo(stack, person.email);
    await expect.poll(mails, { timeout: 20_000 }).toHaveLength(1);

    for (const [tokens, sentence, entry] of [
      ['10', `10 tokens granted. ${person.email} has 10 tokens now.`, 'By an admin +10, then 10'],
      ['-4', `4 tokens taken back. ${person.email} has 6 tokens now.`, 'By an admin −4, then 6'],
    ] as const) {
      await page.getByRole('link', { name: 'Grant tokens…' }).click();
      await page.getByRole('textbox', { name: 'Tokens' }).fill(tokens);
      await page.getByLabel('Reason').fill('A lost task');
      await page.getByRole('button', { name: 'Grant tokens' }).click();
      await expect(page.getByText(sentence)).toBeVisible();
      await expect(page.getByText(entry)).toBeVisible();
    }

    await page.getByRole('link', { name: 'Delete…' }).click();
    if (mode === MODES[0]) await expectNoFaults(page);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await expect(page.getByText(`${person.email} is signed out and will be deleted on`)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Enable and keep account' })).toBeVisible();
    await expect.poll(mails, { timeout: 20_000 }).toHaveLength(2);
    if (mode === MODES[0]) await expectNoFaults(page);
  });
}

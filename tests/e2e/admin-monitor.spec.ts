import { signInAdmin } from './people';
import { expect, MODES, test } from './test';

for (const mode of MODES) {
  test(`an admin sees the monitor, stops it, checks by hand and starts it${mode}`, async ({
    page,
    stack,
  }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/monitor');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pokemon Center UK Monitor');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Monitoring stopped.' })).toBeVisible();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByText(/^The shop is open: /)).toBeVisible({ timeout: 60_000 });
    const activity = page.getByRole('region', { name: 'Recent Activity (Last 24 Hours)' });
    await expect(activity.getByRole('listitem').first()).toContainText('HTTP 200');
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Monitoring started.' })).toBeVisible();
  });
}

import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { openBeforeScripts } from './before-scripts';
import { expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { signInAdmin } from './people';
import { resetSettings } from './settings-data';
import { arrangeSite } from './site-data';
import { expect, MODES, openLivePage, test } from './test';

const PAGE = '/dashboard/hero-tracking';

function picture(width = 900, height = 700): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#3b4cca' } })
    .png()
    .toBuffer();
}

const sets = (page: Page) => page.getByRole('region', { name: 'Tracking sets' }).getByRole('listitem');

const said = (page: Page, sentence: string) => page.getByRole('status').filter({ hasText: sentence });

async function addSet(page: Page, name: string): Promise<void> {
  const before = await sets(page).count();
  await page.getByLabel('Name', { exact: true }).last().fill(name);
  await page
    .getByLabel('Image', { exact: true })
    .setInputFiles({ name: `${name}.png`, mimeType: 'image/png', buffer: await picture() });
  await page.getByRole('button', { name: 'Add tracking set' }).click();
  await expect(said(page, 'Tracking set added.')).toBeVisible();
  await expect(sets(page)).toHaveCount(before + 1);
}

async function removeSet(page: Page, name: string): Promise<void> {
  const set = sets(page).filter({ has: page.getByRole('heading', { name, exact: true }) });
  await set.locator('summary').click();
  await set.getByRole('link', { name: 'Remove…' }).click();
  const question = page.getByRole('dialog', { name: `Remove ${name}?` });
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Remove set' }).click();
  await expect(set).toHaveCount(0);
  await expect(question).toHaveCount(0);
}

test.afterAll(({ stack }) => resetSettings(stack));
test.beforeEach(async ({ page, stack }) => {
  await resetSettings(stack);
  await signInAdmin(page, stack);
  await page.goto(PAGE);
});

for (const mode of MODES) {
  test(`tracking sets are added, ordered, switched, renamed and removed${mode}`, async ({ page }) => {
    await expect(page.getByText('No tracking sets yet.')).toBeVisible();
    await expect(page.getByText('Recommended 800x600 or larger, smaller than 5MB.')).toBeVisible();
    await addSet(page, 'Base');
    await addSet(page, 'Jungle');
    const names = sets(page).getByRole('heading');
    await expect(names).toHaveText(['Base', 'Jungle']);
    await expect(sets(page).nth(0)).toContainText('1/2');
    await expect
      .poll(() =>
        sets(page)
          .locator('img')
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0);

    await expect(page.getByRole('button', { name: 'Move Base up' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Move Jungle down' })).toBeDisabled();
    await page.getByRole('button', { name: 'Move Base down' }).click();
    await expect(names).toHaveText(['Jungle', 'Base']);
    await expect(said(page, 'Order saved.')).toBeVisible();

    const show = page.getByRole('switch', { name: 'Show Base' });
    await show.click();
    await expect(show).not.toBeChecked();
    await expect(said(page, 'Tracking set switched off.')).toBeVisible();

    const base = sets(page).filter({ has: page.getByRole('heading', { name: 'Base' }) });
    await base.locator('summary').click();
    const name = base.getByLabel('Name');
    await name.fill(' ');
    await base.getByRole('button', { name: 'Save name' }).click();
    await expect(name).toHaveAccessibleDescription(/Please enter a name\./);
    await name.fill('Base Set');
    await base.getByRole('button', { name: 'Save name' }).click();
    await expect(names).toHaveText(['Jungle', 'Base Set']);

    await page.goto(PAGE);
    await expect(names).toHaveText(['Jungle', 'Base Set']);
    await expect(page.getByRole('switch', { name: 'Show Base Set' })).not.toBeChecked();
    await removeSet(page, 'Jungle');
    await expect(said(page, 'Tracking set removed.')).toBeVisible();
    await expect(sets(page).first()).toContainText('1/1');
    await removeSet(page, 'Base Set');
    await expect(page.getByText('No tracking sets yet.')).toBeVisible();
  });
}

for (const mode of MODES) {
  test(`the slides have their own switch, and the page shows the state of the other one${mode}`, async ({
    page,
  }) => {
    await expect(page.getByText(/which is off at the moment/)).toBeVisible();
    const slides = page.getByRole('switch', { name: 'Tracking slides' });
    await expect(slides).not.toBeChecked();
    await slides.click();
    await expect(said(page, 'Tracking slides are on.')).toBeVisible();
    await expect(slides).toBeChecked();
    await slides.click();
    await expect(said(page, 'Tracking slides are off.')).toBeVisible();
  });
}

for (const mode of MODES) {
  test(`a file that is no image or too large is refused beside the field, and the name stays${mode}`, async ({
    page,
  }) => {
    const name = page.getByLabel('Name', { exact: true }).last();
    const image = page.getByLabel('Image', { exact: true });
    const add = page.getByRole('button', { name: 'Add tracking set' });
    const refused: [string, { name: string; mimeType: string; buffer: Buffer } | null][] = [
      ['Please select an image file.', null],
      [
        'Please select an image file.',
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') },
      ],
      [
        // Only its content gives it away.
        'Please select an image file.',
        { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<!doctype html><p>no image') },
      ],
      [
        'Image file must be smaller than 5MB.',
        {
          name: 'large.png',
          mimeType: 'image/png',
          buffer: Buffer.concat([await picture(), Buffer.alloc(5 * 1024 * 1024)]),
        },
      ],
    ];
    for (const [sentence, file] of refused) {
      await name.fill('Fossil');
      if (file !== null) await image.setInputFiles(file);
      await add.click();
      await expect(image).toHaveAccessibleDescription(new RegExp(sentence.replaceAll('.', '\\.')));
      await expect(name).toHaveValue('Fossil');
    }
    await expect(page.getByText('No tracking sets yet.')).toBeVisible();
  });
}

test('an image is shown before it is sent, with a notice when it is small', async ({ page }) => {
  const image = page.getByLabel('Image', { exact: true });
  await image.setInputFiles({ name: 'small.png', mimeType: 'image/png', buffer: await picture(320, 240) });
  await expect(page.getByRole('img', { name: 'Preview of small.png' })).toBeVisible();
  await expect(page.getByText('320 × 240 pixels. Smaller than recommended: it may look soft.')).toBeVisible();
  await image.setInputFiles({ name: 'fine.png', mimeType: 'image/png', buffer: await picture() });
  await expect(page.getByText('900 × 700 pixels.', { exact: true })).toBeVisible();
  await expectNoFaults(page);
});

// The name was once emptied when the page went live, and the picture taken for none.
test('a set that is filled in before the scripts run can be added', async ({ page }) => {
  const name = page.getByLabel('Name', { exact: true }).last();
  await openBeforeScripts(page, PAGE, async () => {
    await name.fill('Early set');
    await page
      .getByLabel('Image', { exact: true })
      .setInputFiles({ name: 'early.png', mimeType: 'image/png', buffer: await picture() });
  });
  await expect(name).toHaveValue('Early set');
  await expect(page.getByRole('img', { name: 'Preview of early.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Add tracking set' }).click();
  await expect(said(page, 'Tracking set added.')).toBeVisible();
  await expect(sets(page).getByRole('heading')).toHaveText(['Early set']);
  await expect(name).toHaveValue('');
});

test('moving a set and confirming keep the focus', async ({ page }) => {
  await addSet(page, 'One');
  await addSet(page, 'Two');
  await page.getByRole('button', { name: 'Move Two up' }).press('Enter');
  await expect(sets(page).getByRole('heading')).toHaveText(['Two', 'One']);
  // At the end its own button is blocked.
  await expect(page.getByRole('button', { name: 'Move Two down' })).toBeFocused();

  const ask = sets(page).first().getByRole('link', { name: 'Remove…' });
  await sets(page).first().locator('summary').click();
  await ask.press('Enter');
  const question = page.getByRole('dialog', { name: 'Remove Two?' });
  await expect(question.getByRole('link', { name: 'Cancel' })).toBeFocused();
  await expect(page.locator('dialog:modal')).toHaveCount(1);
  await expectNoFaults(page, question);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(PAGE);
  await expect(ask).toBeFocused();
  await expectNoFaults(page);
});

test('an upload that fails shows an error in the page', async ({ page, stack }) => {
  // A separate page: the browser reports a lost connection as an error of the page.
  const lost = await openLivePage(page.context());
  await lost.goto(stack.siteUrl + PAGE);
  // A press says which fields are missing, and leads to the first.
  const name = lost.getByLabel('Name', { exact: true });
  await lost.getByRole('button', { name: 'Add tracking set' }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription('Please enter a name.');
  await expect(lost.getByLabel('Image', { exact: true })).toHaveAccessibleDescription(
    /Please select an image file\./,
  );
  await name.fill('Rocket');
  await expect(name).not.toHaveAccessibleDescription('Please enter a name.');
  await lost
    .getByLabel('Image', { exact: true })
    .setInputFiles({ name: 'rocket.png', mimeType: 'image/png', buffer: await picture() });
  await lost.context().setOffline(true);
  await lost.getByRole('button', { name: 'Add tracking set' }).click();
  await expect(lost.getByRole('alert')).toHaveText('Failed to add tracking set. Please try again.');
  await lost.context().setOffline(false);
  await lost.getByRole('button', { name: 'Add tracking set' }).click();
  await expect(sets(lost)).toHaveCount(1);
  await removeSet(lost, 'Rocket');
  await lost.close();
});

for (const width of [360, 1280]) {
  test(`nothing moves while the pictures arrive at ${width} pixels @own-context`, async ({ page, stack }) => {
    await arrangeSite(stack, {
      tracking: true,
      trackingSets: [
        { name: 'First wave', enabled: true },
        { name: 'Second wave', enabled: false },
      ],
    });
    await page.setViewportSize({ width, height: 800 });
    await watchLayout(page);
    await page.goto(PAGE);
    await expect(sets(page)).toHaveCount(2);
    for (const image of await sets(page).locator('img').all()) {
      await image.scrollIntoViewIfNeeded();
      await expect
        .poll(() => image.evaluate((picture: HTMLImageElement) => picture.naturalWidth))
        .toBeGreaterThan(0);
    }
    await page.waitForLoadState('networkidle');
    expect(await layoutShifts(page)).toEqual([]);
  });
}

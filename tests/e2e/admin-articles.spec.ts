import type { Locator, Page } from '@playwright/test';
import type { Article, ArticlePage } from '#shared/news/article';
import {
  changeArticleBehind,
  clearArticles,
  deleteArticleBehind,
  notAPicture,
  picture,
  readArticle,
  writeArticle,
} from './articles-world';
import { setNewsSection, withDatabase } from './news-world';
import { expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { joinDiscord, signInAdmin, signInFirstTime, somebody } from './people';
import { expect, test as base } from './test';

/** The browser notes refused and broken requests as errors; here they are what is tested. */
const expected = /Failed to load resource|net::ERR_FAILED/;

const test = base.extend<{ desk: void }>({
  quietConsole: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      if (!expected.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await use();
    expect(complaints).toEqual([]);
  },
  // An admin with their cookies chosen, before an empty desk.
  desk: async ({ page, stack, context }, use) => {
    await clearArticles(stack);
    await context.addCookies([
      {
        name: 'cookie-consent',
        value: encodeURIComponent('{"necessary":true,"analytics":false,"marketing":false}'),
        url: stack.siteUrl,
      },
    ]);
    await signInAdmin(page, stack);
    await use();
  },
});

const row = (page: Page, title: string) => page.locator('[data-article]').filter({ hasText: title });
const titleField = (page: Page) => page.getByLabel('Title', { exact: true });
const contentField = (page: Page) => page.getByRole('textbox', { name: 'Content', exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const chooser = (page: Page) => page.getByLabel('Add images and videos');
const media = (page: Page, name: string) => page.locator('[data-media]').filter({ hasText: name });

const DRAFT_MADE = 'Saved as a draft so images can be attached.';

/** Every article, drafts too, as the API gives them to the admin who is signed in. */
async function articlesByApi(page: Page): Promise<Article[]> {
  const answer = await page.evaluate(() =>
    fetch('/api/news/admin/articles').then((response) => response.json() as unknown),
  );
  return (answer as { data: ArticlePage }).data.articles;
}

/** Pastes or drops pictures into the text. */
async function bringPictures(
  text: Locator,
  how: 'paste' | 'drop',
  pictures: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  const carried = pictures.map(({ buffer, ...file }) => ({ ...file, base64: buffer.toString('base64') }));
  await text.evaluate(
    (element, { how, carried }) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, base64 } of carried) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: mimeType }));
      }
      const { left, top } = element.getBoundingClientRect();
      const heard = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: transfer, ...heard })
          : new DragEvent('drop', {
              dataTransfer: transfer,
              ...heard,
              clientX: left + 40,
              clientY: top + 30,
            }),
      );
    },
    { how, carried },
  );
}

/** Waits until the editor stands in the field's place, when there are scripts. */
async function whenWritable(page: Page, scripts: boolean | undefined): Promise<Locator> {
  const field = contentField(page);
  if (scripts !== false) await expect(field).toHaveAttribute('contenteditable', 'true');
  return field;
}

async function fillArticle(
  page: Page,
  scripts: boolean | undefined,
  { title, content }: { title: string; content: string },
): Promise<void> {
  await titleField(page).fill(title);
  await (await whenWritable(page, scripts)).fill(content);
}

test('the desk is for admins alone', async ({ page, stack }) => {
  await page.goto('/dashboard/articles');
  await expect(page).toHaveURL('/');
  const person = somebody();
  await joinDiscord(stack, person);
  await signInFirstTime(page, stack, person);
  for (const path of ['/dashboard/articles', '/dashboard/articles/new']) {
    await page.goto(path);
    await expect(page).toHaveURL('/dashboard');
  }
});

test('from an empty desk to the first article', async ({ page, javaScriptEnabled, desk: _ }) => {
  await page.goto('/dashboard/articles');
  await expect(page.getByText('No articles yet')).toBeVisible();
  await page.getByRole('link', { name: 'Create Article' }).click();
  await expect(page.getByRole('heading', { name: 'Create New Article' })).toBeVisible();
  await fillArticle(page, javaScriptEnabled, { title: 'First light', content: 'Boxes are coming.' });
  await page.getByLabel('Excerpt').fill('A short word on boxes.');
  await page.getByLabel('Featured', { exact: true }).check();
  await save(page).click();
  await expect(page.getByRole('heading', { name: 'Edit Article' })).toBeVisible();
  await expect(page.getByText('Article created. You can now add images and videos.')).toBeVisible();
  await page.goto('/dashboard/articles');
  const first = row(page, 'First light');
  await expect(first.getByText('Draft', { exact: true })).toBeVisible();
  await expect(first.getByRole('switch', { name: /^Featured/ })).toBeChecked();
  await expect(first).toContainText('A short word on boxes.');
  await expect(first).toContainText('By ada_admin · Created');
  const created = first.locator('time').first();
  await expect(created).toHaveText(/^\d{1,2} [A-Z][a-z]+ \d{4}$/);
  await expect(created).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT.*Z$/);
});

test('without a title or a text nothing is saved, and nothing typed is lost @no-scripts', async ({
  page,
  desk: _,
}) => {
  await page.goto('/dashboard/articles/new');
  await contentField(page).fill('<p>\r\n&nbsp;</p>');
  await page.getByLabel('Excerpt').fill('Kept');
  await save(page).click();
  await expect(page.getByRole('alert')).toHaveText('Title and content are required');
  await expect(titleField(page)).toHaveAccessibleDescription('Title and content are required');
  await expect(page.getByLabel('Excerpt')).toHaveValue('Kept');
  await titleField(page).fill('A title');
  await save(page).click();
  await expect(page.getByRole('alert')).toHaveText('Title and content are required');
  await expect(titleField(page)).toHaveValue('A title');
  await expect(contentField(page)).toHaveAccessibleDescription(/Title and content are required/);
});

test('Save waits for a title and a text, and the excerpt shows how it will look @scripts', async ({
  page,
  desk: _,
}) => {
  await page.goto('/dashboard/articles/new');
  await expect(save(page)).toBeDisabled();
  await titleField(page).fill('A title');
  await expect(save(page)).toBeDisabled();
  await (await whenWritable(page, true)).fill('A text');
  await expect(save(page)).toBeEnabled();
  await titleField(page).fill('   ');
  await expect(save(page)).toBeDisabled();
  await page.getByLabel('Excerpt').fill('a'.repeat(120));
  await expect(page.locator('[data-excerpt-preview]')).toHaveText(`Preview: ${'a'.repeat(100)}…`);
  await expect(page.getByLabel('Excerpt')).toHaveAttribute('rows', '3');
  await page.getByLabel('Excerpt').fill('');
  await titleField(page).fill('');
  await contentField(page).fill('');
});

test('twenty to a page, and every way back leads to the page one came from', async ({
  page,
  stack,
  desk: _,
}) => {
  for (let number = 1; number <= 22; number += 1) await writeArticle(stack, { title: `Note ${number}.` });
  await page.goto('/dashboard/articles');
  await expect(page.locator('[data-article]')).toHaveCount(20);
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Previous', exact: true })).toBeDisabled();
  await page.getByRole('link', { name: 'Next', exact: true }).click();
  await expect(page).toHaveURL('/dashboard/articles?page=2');
  await expect(page.locator('[data-article]')).toHaveCount(2);
  await page.getByRole('link', { name: 'Edit Note 1.' }).click();
  await expect(page.getByRole('heading', { name: 'Edit Article' })).toBeVisible();
  await page.getByRole('link', { name: /^Close$|All articles/ }).click();
  await expect(page).toHaveURL('/dashboard/articles?page=2');
  await page.goto('/dashboard/articles?page=9');
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
});

test('the switches publish and feature, and visitors see it at once', async ({ page, stack, desk: _ }) => {
  const { id } = await writeArticle(stack, { title: 'Switched' });
  await page.goto('/dashboard/articles');
  const switched = row(page, 'Switched');
  await switched.getByRole('switch', { name: /^Published/ }).click();
  await expect(switched.getByRole('switch', { name: /^Published/ })).toBeChecked();
  await expect(switched.getByText('Published', { exact: true }).first()).toBeVisible();
  await expect(switched.getByRole('link', { name: 'View Switched' })).toHaveAttribute('href', `/news/${id}`);
  await switched.getByRole('switch', { name: /^Featured/ }).click();
  await expect(switched.getByRole('switch', { name: /^Featured/ })).toBeChecked();
  await page.goto(`/news/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Switched');
  await page.goto('/dashboard/articles');
  await switched.getByRole('switch', { name: /^Published/ }).click();
  await expect(switched.getByRole('switch', { name: /^Published/ })).not.toBeChecked();
  await expect(switched.getByText('Draft', { exact: true })).toBeVisible();
});

test('a switch that fails says so and goes back', async ({ page, stack, desk: _ }) => {
  const { id } = await writeArticle(stack, { title: 'Gone meanwhile' });
  await page.goto('/dashboard/articles');
  await deleteArticleBehind(stack, id);
  await row(page, 'Gone meanwhile')
    .getByRole('switch', { name: /^Published/ })
    .click();
  await expect(page.getByRole('alert')).toHaveText('Failed to update article status. Please try again.');
});

test('a switch keeps its place when the server is out of reach @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  await writeArticle(stack, { title: 'Far away' });
  await page.goto('/dashboard/articles');
  const cut = (method: string) =>
    page.route('**/dashboard/articles**', (route) =>
      route.request().method() === method ? route.abort() : route.continue(),
    );
  await cut('POST');
  const published = row(page, 'Far away').getByRole('switch', { name: /^Published/ });
  await published.click();
  await expect(page.getByRole('alert')).toHaveText('Failed to update article status. Please try again.');
  await expect(published).not.toBeChecked();
});

test('an edit is saved, and what articles may not hold is taken out', async ({
  page,
  stack,
  javaScriptEnabled,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Before', published: true });
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Edit Before' }).click();
  await expect(titleField(page)).toHaveValue('Before');
  await titleField(page).fill('After');
  const content = await whenWritable(page, javaScriptEnabled);
  await content.fill(
    javaScriptEnabled === false ? '<p>New <strong>words</strong><script>alert(1)</script></p>' : 'New words',
  );
  await page.getByLabel('Published', { exact: true }).uncheck();
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
  await page.goto('/dashboard/articles');
  await expect(row(page, 'After').getByText('Draft', { exact: true })).toBeVisible();
  await page.goto(`/news/${id}`);
  await expect(page.locator('.article-body')).toHaveText('New words');
});

test('saving keeps the dialog, and only what is not saved asks before one leaves @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  await writeArticle(stack, { title: 'Calm' });
  await page.goto('/dashboard/articles');
  const edit = page.getByRole('link', { name: 'Edit Calm' });
  await edit.click();
  const dialog = page.getByRole('dialog', { name: 'Edit Article' });
  await expect(titleField(page)).toBeFocused();
  await whenWritable(page, true);
  await titleField(page).fill('Calmer');
  await expect(dialog.getByText('Not saved yet')).toBeVisible();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(question).toHaveCount(0);
  await expect(titleField(page)).toHaveValue('Calmer');
  await save(page).click();
  await expect(dialog.getByText('Article saved.')).toBeVisible();
  await expect(dialog.getByText('Not saved yet')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/dashboard/articles');
  await expect(page.getByRole('link', { name: 'Edit Calmer' })).toBeFocused();

  await page.getByRole('link', { name: 'Edit Calmer' }).click();
  await titleField(page).fill('Forgotten');
  await dialog.getByRole('link', { name: 'Close' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/dashboard/articles');
  await expect(row(page, 'Calmer')).toBeVisible();
});

test('two admins: nobody’s save is overwritten unseen', async ({
  page,
  stack,
  javaScriptEnabled,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Shared' });
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, javaScriptEnabled);
  await changeArticleBehind(stack, id, { title: 'Theirs' });
  await titleField(page).fill('Mine');
  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('Someone else has changed this article');
  await expect(titleField(page)).toHaveValue('Mine');
  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('Someone else has changed this article');
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
  await page.goto('/dashboard/articles');
  await expect(row(page, 'Mine')).toBeVisible();
});

test('an article that somebody deleted keeps what was typed', async ({
  page,
  stack,
  javaScriptEnabled,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Fading' });
  await page.goto(`/dashboard/articles/${id}`);
  await fillArticle(page, javaScriptEnabled, { title: 'Still here', content: 'My words' });
  await deleteArticleBehind(stack, id);
  if (javaScriptEnabled !== false) {
    await save(page).click();
    await expect(page.getByRole('alert')).toContainText('Someone has deleted this article.');
    await expect(titleField(page)).toHaveValue('Still here');
  }
  await page.goto(`/dashboard/articles/${id}`);
  await expect(page.getByRole('alert')).toHaveText('Failed to load article for editing.');
});

test('saving without a server says so and keeps everything @scripts', async ({ page, stack, desk: _ }) => {
  const { id } = await writeArticle(stack, { title: 'Offline' });
  await page.goto(`/dashboard/articles/${id}`);
  await fillArticle(page, true, { title: 'Written in a tunnel', content: 'Long and dear' });
  await page.route(`**/dashboard/articles/${id}**`, (route) => route.abort());
  await save(page).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to save article. Please try again.');
  await expect(titleField(page)).toHaveValue('Written in a tunnel');
  await expect(contentField(page)).toHaveText('Long and dear');
  await page.unroute(`**/dashboard/articles/${id}**`);
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
});

test('a session that ended costs nothing that was written @scripts', async ({ page, stack, desk: _ }) => {
  const { id } = await writeArticle(stack, { title: 'Late' });
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, true);
  await titleField(page).fill('Too late');
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('You are no longer signed in.');
  await expect(titleField(page)).toHaveValue('Too late');
  await page.context().addCookies(cookies);
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
});

test('deleting asks first', async ({ page, stack, desk: _ }) => {
  await writeArticle(stack, { title: 'Doomed' });
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Delete Doomed' }).click();
  await expect(page.getByRole('heading', { name: 'Delete this article?' })).toBeVisible();
  await page
    .getByRole('button', { name: 'Keep it' })
    .or(page.getByRole('link', { name: 'Keep it' }))
    .click();
  await expect(page.getByRole('heading', { name: 'Delete this article?' })).toHaveCount(0);
  await expect(row(page, 'Doomed')).toBeVisible();
  await page.getByRole('link', { name: 'Delete Doomed' }).click();
  await page.getByRole('button', { name: 'Delete article' }).click();
  await expect(page.getByText('Article deleted.')).toBeVisible();
  await expect(page.getByText('No articles yet')).toBeVisible();
});

test('a deletion that fails says so @scripts', async ({ page, stack, desk: _ }) => {
  await writeArticle(stack, { title: 'Sturdy' });
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Delete Sturdy' }).click();
  await page.route('**/delete**', (route) => route.abort());
  await page.getByRole('button', { name: 'Delete article' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to delete article. Please try again.');
});

test('pictures: several at once, words, order, the featured one, and the end of one', async ({
  page,
  stack,
  javaScriptEnabled,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Pictured' });
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, javaScriptEnabled);
  await expect(page.getByText('No images or videos yet')).toBeVisible();
  await chooser(page).setInputFiles([
    await picture('one.png'),
    notAPicture('bad.png'),
    await picture('two.png', [200, 60, 60]),
  ]);
  if (javaScriptEnabled === false) await page.getByRole('button', { name: 'Upload' }).click();
  await expect(page.getByRole('alert')).toContainText('Failed to upload media. Please try again.');
  await expect(page.getByRole('listitem').filter({ hasText: 'bad.png' })).toContainText(
    'Choose a JPEG, PNG, WebP, GIF or AVIF image, or an MP4 or WebM video.',
  );
  await expect(page.locator('[data-media]')).toHaveCount(2);

  const [one, two] = [media(page, 'one.png'), media(page, 'two.png')];
  await one.getByLabel('Alternative text').fill('A blue card');
  await one.getByLabel('Caption').fill('The blue one');
  await one.getByRole('button', { name: /^Save text/ }).click();
  await expect(page.getByText(/^Saved$|^Caption saved\.$/)).toBeVisible();
  await expect(one.getByRole('img')).toHaveAttribute('alt', 'A blue card');

  await expect(one.getByRole('button', { name: /^Up/ })).toHaveAttribute('aria-disabled', 'true');
  await expect(two.getByRole('button', { name: /^Down/ })).toHaveAttribute('aria-disabled', 'true');
  await one.getByRole('button', { name: /^Down/ }).click();
  await expect(page.locator('[data-media]').first()).toContainText('two.png');
  await expect(two.getByRole('button', { name: /^Up/ })).toHaveAttribute('aria-disabled', 'true');

  await one.getByRole('button', { name: /^Make featured image/ }).click();
  await expect(one.getByText('Featured image', { exact: true })).toBeVisible();
  await two.getByRole('button', { name: /^Make featured image/ }).click();
  await expect(two.getByText('Featured image', { exact: true })).toBeVisible();
  await expect(one.getByText('Featured image', { exact: true })).toHaveCount(0);
  await two.getByRole('button', { name: /^Remove as featured image/ }).click();
  await expect(two.getByText('Featured image', { exact: true })).toHaveCount(0);

  await one.getByRole('link', { name: /^Delete/ }).click();
  await expect(page.getByRole('heading', { name: 'Delete this file?' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete file' }).click();
  await expect(page.locator('[data-media]')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Edit Article' })).toBeVisible();
});

test('a caption that is too long is refused beside its field', async ({
  page,
  stack,
  javaScriptEnabled,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Wordy' });
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, javaScriptEnabled);
  await chooser(page).setInputFiles(await picture('one.png'));
  if (javaScriptEnabled === false) await page.getByRole('button', { name: 'Upload' }).click();
  const one = media(page, 'one.png');
  await one.getByLabel('Caption').fill('w'.repeat(501));
  await one.getByRole('button', { name: /^Save text/ }).click();
  await expect(one.getByLabel('Caption')).toHaveAccessibleDescription(
    'Captions can be up to 500 characters.',
  );
  await expect(one.getByLabel('Caption')).toHaveValue('w'.repeat(501));
});

test('work on pictures leaves the text alone, and the text leaves captions alone @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Both' });
  await page.goto(`/dashboard/articles/${id}`);
  await fillArticle(page, true, { title: 'Half written', content: 'Half a text' });
  await chooser(page).setInputFiles([await picture('one.png'), await picture('two.png')]);
  await expect(page.locator('[data-media]')).toHaveCount(2);
  const one = media(page, 'one.png');
  await one.getByLabel('Caption').fill('Half a caption');
  const down = one.getByRole('button', { name: /^Down/ });
  await down.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-media]').first()).toContainText('two.png');
  await expect(down).toBeFocused();
  await expect(titleField(page)).toHaveValue('Half written');
  await expect(contentField(page)).toHaveText('Half a text');
  // The pictures' own changes count for nobody else's.
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
  await expect(one.getByLabel('Caption')).toHaveValue('Half a caption');
});

test('what fails with pictures says what failed @scripts', async ({ page, stack, desk: _ }) => {
  const { id } = await writeArticle(stack, { title: 'Unlucky' });
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, true);
  await page.route('**/api/news/admin/articles/*/media', (route) => route.abort());
  await chooser(page).setInputFiles(await picture('one.png'));
  await expect(page.getByRole('alert')).toHaveText('Failed to upload media. Please try again.');
  await page.unroute('**/api/news/admin/articles/*/media');
  await page.getByRole('button', { name: 'Try again one.png' }).click();
  const one = media(page, 'one.png');
  await expect(one).toBeVisible();

  await page.route('**/media/*/delete**', (route) => route.abort());
  await one.getByRole('link', { name: /^Delete/ }).click();
  await page.getByRole('button', { name: 'Delete file' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'Failed to delete media. Please try again.',
  );
  await page.getByRole('button', { name: 'Keep it' }).click();
  await deleteArticleBehind(stack, id);
  await one.getByRole('button', { name: /^Make featured image/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to set featured image. Please try again.');
});

test('files wait for a new article, and follow it @scripts', async ({ page, desk: _ }) => {
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Create Article' }).click();
  await expect(page.getByRole('dialog', { name: 'Create New Article' })).toBeVisible();
  await fillArticle(page, true, { title: 'With pictures', content: 'A text' });
  await chooser(page).setInputFiles([
    await picture('one.png'),
    await picture('two.png', [200, 60, 60]),
    await picture('three.png', [60, 160, 60]),
    notAPicture('bad.png'),
  ]);
  await page.getByRole('button', { name: 'Remove one.png' }).click();
  await page.getByLabel('Featured image three.png').check();
  await save(page).click();
  await expect(page.getByRole('dialog', { name: 'Edit Article' })).toBeVisible();
  await expect(page.locator('[data-media]')).toHaveCount(2);
  await expect(media(page, 'three.png').getByText('Featured image', { exact: true })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'bad.png' })).toContainText('Choose a JPEG');
  await expect(page.getByRole('button', { name: 'Try again bad.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove bad.png' }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/dashboard/articles');
  await expect(row(page, 'With pictures').locator('img')).toHaveCount(1);
});

test('a picture put into a new article makes it a draft, which Save then saves @scripts', async ({
  page,
  desk: _,
}) => {
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Create Article' }).click();
  const text = await whenWritable(page, true);
  await text.click();
  const [blue, red] = [await picture('blue.png'), await picture('red.png', [200, 60, 60])];
  await bringPictures(text, 'paste', [blue]);
  await expect(text.getByRole('alert')).toHaveText('Add a title and some text before inserting images.');
  await expect(page.getByText(DRAFT_MADE)).toHaveCount(0);
  await text.getByRole('button', { name: 'Remove' }).click();
  expect(await articlesByApi(page)).toEqual([]);

  await fillArticle(page, true, { title: 'Seen in the shop', content: 'Two tins.' });
  await chooser(page).setInputFiles(await picture('queued.png', [60, 160, 60]));
  await page.getByLabel('Featured image queued.png').check();
  await bringPictures(text, 'drop', [blue, red]);
  await expect(text.locator('img')).toHaveCount(2);
  await expect(page.getByText(DRAFT_MADE)).toBeVisible();
  expect(await articlesByApi(page)).toMatchObject([{ title: 'Seen in the shop', published: false }]);
  await titleField(page).fill('Seen in two shops');
  await page.getByLabel('Published', { exact: true }).check();
  await save(page).click();

  await expect(page.getByRole('dialog', { name: 'Edit Article' })).toBeVisible();
  await expect(page.locator('[data-media]')).toHaveCount(3);
  await expect(media(page, 'blue.png').getByText('In the text', { exact: true })).toBeVisible();
  await expect(media(page, 'queued.png').getByText('Featured image', { exact: true })).toBeVisible();
  await expect(media(page, 'queued.png').getByText('In the text', { exact: true })).toHaveCount(0);
  const [article, ...others] = await articlesByApi(page);
  expect(others).toEqual([]);
  expect(article).toMatchObject({ title: 'Seen in two shops', published: true });
  expect(article?.content.match(/<img src="\/uploads\/[^"]+"/g)).toHaveLength(2);
  expect(article?.content).toContain('Two tins.');
  await page.goto('/dashboard/articles/new');
  await whenWritable(page, true);
  await expect(page.getByText('You have an unsaved draft')).toHaveCount(0);
});

test('a new article’s draft keeps what was typed when somebody changes or deletes it @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  await page.goto('/dashboard/articles/new');
  await fillArticle(page, true, { title: 'Mine', content: 'My words' });
  await bringPictures(contentField(page), 'paste', [await picture('blue.png')]);
  await expect(contentField(page).locator('img')).toHaveCount(1);
  const [made] = await articlesByApi(page);
  const id = made?.id ?? '';

  // What this browser kept brings the draft back along with the words.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await whenWritable(page, true);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText(DRAFT_MADE)).toBeVisible();

  await changeArticleBehind(stack, id, { title: 'Theirs' });
  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('Someone else has changed this article');
  await expect(page.getByRole('link', { name: /^See the saved version/ })).toHaveAttribute(
    'href',
    `/news/${id}`,
  );
  await deleteArticleBehind(stack, id);
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'Someone has deleted this draft along with its images.',
  );
  await expect(titleField(page)).toHaveValue('Mine');
  await expect(contentField(page)).toContainText('My words');
  await expect(page.getByText(DRAFT_MADE)).toHaveCount(0);

  // There is nothing to go on with: the next save makes a new article, without the images that are gone.
  await save(page).click();
  await expect(page.getByText('Article created.', { exact: false })).toBeVisible();
  expect(await articlesByApi(page)).toMatchObject([
    { title: 'Mine', content: expect.stringMatching(/^<p>My words<\/p>/) },
  ]);
  expect((await articlesByApi(page))[0]?.content).not.toContain('<img');
});

test('an image put into a draft that somebody deleted says so, and the next try makes a new draft @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  await page.goto('/dashboard/articles/new');
  await fillArticle(page, true, { title: 'Mine', content: 'My words' });
  const text = contentField(page);
  await bringPictures(text, 'paste', [await picture('blue.png')]);
  await expect(text.locator('img')).toHaveCount(1);
  const [made] = await articlesByApi(page);
  await deleteArticleBehind(stack, made?.id ?? '');
  await bringPictures(text, 'paste', [await picture('red.png', [200, 60, 60])]);
  await expect(text.getByRole('alert')).toContainText(
    'Someone has deleted this draft along with its images.',
  );
  await text.getByRole('button', { name: 'Try again' }).click();
  await expect(text.locator('img')).toHaveCount(2);
  await save(page).click();
  await expect(page.getByText('Article created.', { exact: false })).toBeVisible();
  const [article, ...others] = await articlesByApi(page);
  expect(others).toEqual([]);
  expect(article?.content.match(/<img/g)).toHaveLength(1);
});

test('an image in the text is nobody’s business until the text is saved @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  const { id, updatedAt } = await writeArticle(stack, { title: 'Out already', published: true });
  await page.goto(`/dashboard/articles/${id}`);
  const text = await whenWritable(page, true);
  await text.click();
  await bringPictures(text, 'paste', [await picture('blue.png')]);
  const blue = media(page, 'blue.png');
  await expect(blue.getByText('Not in the saved text')).toBeVisible();
  await expect(blue.getByRole('link', { name: /^Delete/ })).toBeVisible();
  const visitor = await page.context().newPage();
  await visitor.goto(`/news/${id}`);
  await expect(visitor.locator('main img')).toHaveCount(0);
  expect(await articlesByApi(page)).toMatchObject([{ updatedAt }]);

  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
  await expect(blue.getByText('In the text', { exact: true })).toBeVisible();
  await visitor.reload();
  await expect(visitor.locator('.article-body img')).toHaveCount(1);
  await expect(visitor.locator('main img')).toHaveCount(1);
});

test('an image that is deleted leaves the text that is open, and counts as nobody’s change @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Illustrated', published: true });
  await page.goto(`/dashboard/articles/${id}`);
  const text = await whenWritable(page, true);
  await text.click();
  await page.keyboard.press('Control+End');
  await bringPictures(text, 'paste', [await picture('blue.png'), await picture('red.png', [200, 60, 60])]);
  await expect(text.locator('img')).toHaveCount(2);
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
  const remove = async (name: string) => {
    await media(page, name)
      .getByRole('link', { name: /^Delete/ })
      .click();
    await page.getByRole('button', { name: 'Delete file' }).click();
    await expect(media(page, name)).toHaveCount(0);
  };

  await remove('blue.png');
  await expect(text.locator('img')).toHaveCount(1);
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
  // No undo brings it back.
  await text.click();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+Shift+z');
  await expect(text.locator('img')).toHaveCount(1);
  await titleField(page).fill('Illustrated once');
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();

  // Somebody else's save in between is still asked about.
  await changeArticleBehind(stack, id, { title: 'Theirs' });
  await remove('red.png');
  await expect(text.locator('img')).toHaveCount(0);
  await titleField(page).fill('Mine');
  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('Someone else has changed this article');
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
  const [article] = await articlesByApi(page);
  expect(article?.content).not.toContain('<img');
});

test('a restored draft does not go over what somebody else saved meanwhile @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Ours' });
  await page.goto(`/dashboard/articles/${id}`);
  await fillArticle(page, true, { title: 'Mine', content: 'My words' });
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).some((value) => value.includes('My words'))))
    .toBe(true);
  await changeArticleBehind(stack, id, { title: 'Theirs' });
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await whenWritable(page, true);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(titleField(page)).toHaveValue('Mine');
  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('Someone else has changed this article');
  expect(await articlesByApi(page)).toMatchObject([{ title: 'Theirs' }]);
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
  await page.reload();
  await whenWritable(page, true);
  await expect(page.getByText('You have an unsaved draft')).toHaveCount(0);
});

test('ticking a box leaves a text alone that nobody touched', async ({
  page,
  stack,
  javaScriptEnabled,
  desk: _,
}) => {
  // The editor would put each block on a line of its own.
  const content = '<p>One</p><p>Two <a href="/news" rel="noopener noreferrer nofollow">three</a></p>';
  const { id } = await writeArticle(stack, { title: 'By hand', content });
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, javaScriptEnabled);
  const before = await readArticle(stack, id);
  await page.getByLabel('Featured', { exact: true }).check();
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
  expect(await readArticle(stack, id)).toEqual({ ...before, featured: true });
  await page.goto('/dashboard/articles');
  await expect(row(page, 'By hand')).not.toContainText('Updated');
});

test('an image that could not be sent holds Save up, and leaving asks @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  await writeArticle(stack, { title: 'Interrupted' });
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Edit Interrupted' }).click();
  const text = await whenWritable(page, true);
  await page.route('**/api/news/admin/articles/*/media', (route) => route.abort());
  await text.click();
  await bringPictures(text, 'paste', [await picture('blue.png')]);
  await expect(page.getByText('An image in the text could not be uploaded.')).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await page.getByRole('link', { name: 'Close' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await text.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('An image in the text could not be uploaded.')).toHaveCount(0);
  await titleField(page).fill('Interrupted once');
  await expect(save(page)).toBeEnabled();
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
});

test('while the news section is off, nothing leads to pages that are not there', async ({
  page,
  stack,
  javaScriptEnabled,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Unseen', published: true });
  await withDatabase(stack.dataDir, (db) => setNewsSection(db, false));
  await page.goto('/dashboard/articles');
  const unseen = row(page, 'Unseen');
  await expect(unseen.getByText('News section is off')).toBeVisible();
  await expect(unseen.getByRole('link', { name: /^(View|Preview)/ })).toHaveCount(0);
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, javaScriptEnabled);
  await changeArticleBehind(stack, id, { title: 'Theirs' });
  await titleField(page).fill('Mine');
  await save(page).click();
  await expect(page.getByRole('button', { name: 'Overwrite' })).toBeVisible();
  await expect(page.getByText('News section is off', { exact: false })).toBeVisible();
  await expect(page.getByRole('link', { name: /^See the saved version/ })).toHaveCount(0);
});

test('a film is put beside an article, and how far a file is on its way shows @scripts', async ({
  page,
  stack,
  desk: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Filmed' });
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, true);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/news/admin/articles/*/media', async (route) => {
    await held;
    await route.continue();
  });
  await chooser(page).setInputFiles('tests/fixtures/news/film.webm');
  await expect(page.getByRole('progressbar', { name: 'film.webm' })).toBeVisible();
  release();
  const film = media(page, 'film.webm');
  await expect(film.getByText(/^Video, /)).toBeVisible();
  await expect(film.locator('video')).toHaveAttribute('src', /^\/uploads\//);
  await expect(film.getByLabel('Caption')).toBeVisible();
  await expect(film.getByLabel('Alternative text')).toHaveCount(0);
  await expect(film.getByRole('button', { name: /featured image/i })).toHaveCount(0);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
});

test('a saved article leaves no draft behind @scripts', async ({ page, desk: _ }) => {
  await page.goto('/dashboard/articles/new');
  await fillArticle(page, true, { title: 'Drafted', content: 'Words' });
  await save(page).click();
  await expect(page.getByText('Article created.', { exact: false })).toBeVisible();
  await page.goto('/dashboard/articles/new');
  await whenWritable(page, true);
  await expect(page.getByText('You have an unsaved draft')).toHaveCount(0);
});

test('the desk has no accessibility fault @scripts', async ({ page, stack, desk: _ }) => {
  test.setTimeout(180_000);
  await page.goto('/dashboard/articles');
  await expectNoFaults(page);
  const { id } = await writeArticle(stack, { title: 'Seen by all', published: true, featured: true });
  for (let number = 1; number <= 20; number += 1) await writeArticle(stack, { title: `More ${number}.` });
  await page.goto('/dashboard/articles?page=2');
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Edit Seen by all' }).click();
  await whenWritable(page, true);
  await chooser(page).setInputFiles([await picture('one.png'), notAPicture('bad.png')]);
  await expect(page.getByRole('button', { name: 'Try again bad.png' })).toBeVisible();
  await expect(page.locator('[data-media]')).toHaveCount(1);
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Delete one.png' }).click();
  await expectNoFaults(page);
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, true);
  await expectNoFaults(page);
  await page.goto('/dashboard/articles/new');
  await whenWritable(page, true);
  await expectNoFaults(page);
  await page.goto(`/dashboard/articles/${id}/delete`);
  await expectNoFaults(page);
});

test('its questions have no accessibility fault @scripts', async ({ page, stack, desk: _ }) => {
  test.setTimeout(180_000);
  const { id } = await writeArticle(stack, { title: 'Asked about' });
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, true);
  await chooser(page).setInputFiles(await picture('one.png'));
  await expect(page.locator('[data-media]')).toHaveCount(1);
  const question = await media(page, 'one.png')
    .getByRole('link', { name: /^Delete/ })
    .getAttribute('href');
  // Opened as an address, as it is without scripts.
  await page.goto(question ?? '');
  await expect(page).toHaveURL(/\/media\/[^/]+\/delete/);
  await expect(page.getByRole('heading', { name: 'Delete this file?' })).toBeVisible();
  await expectNoFaults(page);

  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, true);
  await titleField(page).fill('Mine');
  await changeArticleBehind(stack, id, { title: 'Theirs' });
  await save(page).click();
  await expect(page.getByRole('button', { name: 'Overwrite' })).toBeVisible();
  await expectNoFaults(page);

  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Edit Theirs' }).click();
  await whenWritable(page, true);
  await titleField(page).fill('Not yet saved');
  await page.keyboard.press('Escape');
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(leaving).toBeVisible();
  await expectNoFaults(page);
  await leaving.getByRole('button', { name: 'Leave' }).click();
  await expect(leaving).toHaveCount(0);
});

for (const width of [360, 1280]) {
  test(`the list holds still while it loads at ${width} pixels @scripts`, async ({
    page,
    stack,
    desk: _,
  }) => {
    const { id } = await writeArticle(stack, { title: 'Pictured', published: true, featured: true });
    await page.goto(`/dashboard/articles/${id}`);
    await whenWritable(page, true);
    await chooser(page).setInputFiles(await picture('one.png'));
    await expect(page.locator('[data-media]')).toHaveCount(1);
    for (let number = 1; number <= 5; number += 1) await writeArticle(stack, { title: `More ${number}.` });
    await page.setViewportSize({ width, height: 800 });
    await watchLayout(page);
    await page.goto('/dashboard/articles');
    const thumbnail = row(page, 'Pictured').locator('img');
    await thumbnail.scrollIntoViewIfNeeded();
    await expect
      .poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
      .toBe(true);
    await page.waitForLoadState('networkidle');
    expect(await layoutShifts(page)).toEqual([]);
  });
}

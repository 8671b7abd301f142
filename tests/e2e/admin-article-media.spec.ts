import {
  articlesByApi,
  dropImages,
  chooser,
  contentField,
  DRAFT_MADE,
  expect,
  fillArticle,
  media,
  row,
  save,
  test,
  titleField,
  whenWritable,
} from './article-pages';
import { MODES } from './test';
import {
  changeStoredArticle,
  deleteStoredArticle,
  longAnimation,
  notAPicture,
  picture,
  writeArticle,
} from './article-data';

for (const mode of MODES) {
  test(`images: several uploads at once, captions, order, the featured image and deletion${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
    articlePages: _,
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
}

for (const mode of MODES) {
  test(`a caption that is too long is refused beside its field${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
    articlePages: _,
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
}

test('changes of images do not change the text, and changes of the text do not change captions', async ({
  page,
  stack,
  articlePages: _,
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
  // Changes of images are no edit conflict.
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
  await expect(one.getByLabel('Caption')).toHaveValue('Half a caption');
});

test('each failed image action says which one failed', async ({ page, stack, articlePages: _ }) => {
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
  await deleteStoredArticle(stack, id);
  await one.getByRole('button', { name: /^Make featured image/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to set featured image. Please try again.');
});

test('files added to a new article are uploaded once it exists', async ({ page, articlePages: _ }) => {
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Create Article' }).click();
  await expect(page.getByRole('dialog', { name: 'Create New Article' })).toBeVisible();
  await fillArticle(page, true, { title: 'With pictures', content: 'A text' });
  await chooser(page).setInputFiles([
    await picture('one.png'),
    await picture('two.png', [200, 60, 60]),
    await picture('three.png', [60, 160, 60]),
    notAPicture('bad.png'),
    await longAnimation('long.gif'),
  ]);
  const long = page.getByRole('listitem').filter({ hasText: 'long.gif' });
  await expect(long).toContainText('Only the first frame of long.gif is kept, without the animation.');
  await expect(page.getByText('Only the first frame of long.gif')).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove long.gif' }).click();
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

test('images uploaded together do not abort a load of the page’s data', async ({
  page,
  stack,
  articlePages: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Pictured' });
  await page.goto(`/dashboard/articles/${id}`);
  const text = await whenWritable(page, true);
  const brokenOff = await page.evaluateHandle(() => {
    const urls: string[] = [];
    const send = window.fetch;
    window.fetch = (input, init) => {
      const request = new Request(input, init);
      request.signal.addEventListener('abort', () => urls.push(request.url));
      return send(input, init);
    };
    return urls;
  });
  // The server's answers are held until it has given all of them.
  let given = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/news/admin/articles/*/media', async (route) => {
    const response = await route.fetch();
    given += 1;
    if (given === 3) release();
    await all;
    await route.fulfill({ response });
  });
  await dropImages(text, 'paste', [
    await picture('one.png'),
    await picture('two.png', [200, 60, 60]),
    await picture('three.png', [60, 160, 60]),
  ]);
  await expect(page.locator('[data-media]')).toHaveCount(3);
  expect(await brokenOff.jsonValue()).toEqual([]);
});

test('an image added to a new article saves it as a draft, which Save then updates', async ({
  page,
  articlePages: _,
}) => {
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Create Article' }).click();
  const text = await whenWritable(page, true);
  await text.click();
  const [blue, red] = [await picture('blue.png'), await picture('red.png', [200, 60, 60])];
  await dropImages(text, 'paste', [blue]);
  await expect(text.getByRole('alert')).toHaveText(
    'blue.png: Add a title and some text before inserting images.',
  );
  await expect(page.getByText(DRAFT_MADE)).toHaveCount(0);
  await text.getByRole('button', { name: 'Remove' }).click();
  expect(await articlesByApi(page)).toEqual([]);

  await fillArticle(page, true, { title: 'Seen in the shop', content: 'Two tins.' });
  await chooser(page).setInputFiles(await picture('queued.png', [60, 160, 60]));
  await page.getByLabel('Featured image queued.png').check();
  await dropImages(text, 'drop', [blue, red]);
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

test('an image added to a deleted draft shows an error, and the next attempt creates a new draft', async ({
  page,
  stack,
  articlePages: _,
}) => {
  await page.goto('/dashboard/articles/new');
  await fillArticle(page, true, { title: 'Mine', content: 'My words' });
  const text = contentField(page);
  await dropImages(text, 'paste', [await picture('blue.png')]);
  await expect(text.locator('img')).toHaveCount(1);
  const [made] = await articlesByApi(page);
  await deleteStoredArticle(stack, made?.id ?? '');
  await dropImages(text, 'paste', [await picture('red.png', [200, 60, 60])]);
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

test('an image in the text is not public until the text is saved', async ({
  page,
  stack,
  articlePages: _,
}) => {
  const { id, updatedAt } = await writeArticle(stack, { title: 'Out already', published: true });
  await page.goto(`/dashboard/articles/${id}`);
  const text = await whenWritable(page, true);
  await text.click();
  await dropImages(text, 'paste', [await picture('blue.png')]);
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

test('a deleted image leaves the open text, without an edit conflict', async ({
  page,
  stack,
  articlePages: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Illustrated', published: true });
  await page.goto(`/dashboard/articles/${id}`);
  const text = await whenWritable(page, true);
  await text.click();
  await page.keyboard.press('Control+End');
  await dropImages(text, 'paste', [await picture('blue.png'), await picture('red.png', [200, 60, 60])]);
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

  // A save by another admin in between still needs a confirmation.
  await changeStoredArticle(stack, id, { title: 'Theirs' });
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

test('a failed image upload disables Save, and leaving asks for confirmation', async ({
  page,
  stack,
  articlePages: _,
}) => {
  await writeArticle(stack, { title: 'Interrupted' });
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Edit Interrupted' }).click();
  const text = await whenWritable(page, true);
  await page.route('**/api/news/admin/articles/*/media', (route) => route.abort());
  await text.click();
  await dropImages(text, 'paste', [await picture('blue.png')]);
  await expect(page.getByText('“blue.png” in the text could not be uploaded.')).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await page.getByRole('link', { name: 'Close' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await text.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('“blue.png” in the text could not be uploaded.')).toHaveCount(0);
  await titleField(page).fill('Interrupted once');
  await expect(save(page)).toBeEnabled();
  await save(page).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
});

test('a video is added to an article with the size that the browser measured, and the progress of an upload is shown', async ({
  page,
  stack,
  articlePages: _,
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
  await expect(film.locator('video')).toHaveAttribute('width', /^[1-9]\d*$/);
  await expect(film.locator('video')).toHaveAttribute('height', /^[1-9]\d*$/);
  await expect(film.getByLabel('Caption')).toBeVisible();
  await expect(film.getByLabel('Alternative text')).toHaveCount(0);
  await expect(film.getByRole('button', { name: /featured image/i })).toHaveCount(0);
  await expect(page.getByRole('progressbar')).toHaveCount(0);
});

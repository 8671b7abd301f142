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
  notAPicture,
  picture,
  readArticle,
  writeArticle,
} from './article-data';
import { setNewsSection, withDatabase } from './news-data';
import { expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { enterAs } from './people';

test('the article pages are for admins only @no-scripts', async ({ page, stack }) => {
  await page.goto('/dashboard/articles');
  await expect(page).toHaveURL('/?auth=login&next=%2Fdashboard%2Farticles');
  await enterAs(page, stack, 'member');
  for (const path of ['/dashboard/articles', '/dashboard/articles/new']) {
    await page.goto(path);
    await expect(page).toHaveURL('/dashboard');
  }
});

for (const mode of MODES) {
  test(`a preview opens beside the form, and nothing is saved or lost${mode}`, async ({
    page,
    javaScriptEnabled,
    articlePages: _,
  }) => {
    await page.goto('/dashboard/articles/new');
    await fillArticle(page, javaScriptEnabled, { title: 'Not yet', content: 'Boxes may come.' });
    const [preview] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Preview' }).click(),
    ]);
    await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Not yet');
    await expect(preview.getByText('Boxes may come.')).toBeVisible();
    await expect(
      preview.getByText('This is a preview. Nothing is saved, and only you see it.'),
    ).toBeVisible();
    await preview.close();
    await expect(titleField(page)).toHaveValue('Not yet');
    await save(page).click();
    await expect(page.getByText('Article created. You can now add images and videos.')).toBeVisible();
  });
}

for (const mode of MODES) {
  test(`from an empty list to the first article${mode}`, async ({
    page,
    javaScriptEnabled,
    articlePages: _,
  }) => {
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
}

test('without a title or a text nothing is saved, and nothing typed is lost @no-scripts', async ({
  page,
  articlePages: _,
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

test('Save waits for a title and a text, and the excerpt has a preview', async ({
  page,
  articlePages: _,
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

for (const mode of MODES) {
  test(`twenty articles to a page, and closing an article returns to the same page${mode}`, async ({
    page,
    stack,
    articlePages: _,
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
}

for (const mode of MODES) {
  test(`the switches publish and feature, and visitors see it at once${mode}`, async ({
    page,
    stack,
    articlePages: _,
  }) => {
    const { id } = await writeArticle(stack, { title: 'Switched' });
    await page.goto('/dashboard/articles');
    const switched = row(page, 'Switched');
    await switched.getByRole('switch', { name: /^Published/ }).click();
    await expect(switched.getByRole('switch', { name: /^Published/ })).toBeChecked();
    await expect(switched.getByText('Published', { exact: true }).first()).toBeVisible();
    await expect(switched.getByText(/· Published/)).toBeVisible();
    await expect(switched.getByRole('link', { name: 'View Switched' })).toHaveAttribute(
      'href',
      `/news/${id}`,
    );
    await switched.getByRole('switch', { name: /^Featured/ }).click();
    await expect(switched.getByRole('switch', { name: /^Featured/ })).toBeChecked();
    await page.goto(`/news/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Switched');
    await page.goto('/dashboard/articles');
    await switched.getByRole('switch', { name: /^Published/ }).click();
    await expect(switched.getByRole('switch', { name: /^Published/ })).not.toBeChecked();
    await expect(switched.getByText('Draft', { exact: true })).toBeVisible();
    // The date of its first publication was shown on, in the list and on its page.
    await expect(switched.getByText(/· Published/)).toHaveCount(0);
    await page.goto(`/news/${id}`);
    await expect(page.getByText('No longer published')).toBeVisible();
    await expect(page.locator('article header time')).toHaveCount(0);
  });
}

for (const mode of MODES) {
  test(`a switch that fails says so and returns to its state${mode}`, async ({
    page,
    stack,
    articlePages: _,
  }) => {
    const { id } = await writeArticle(stack, { title: 'Gone since' });
    await page.goto('/dashboard/articles');
    await deleteStoredArticle(stack, id);
    await row(page, 'Gone since')
      .getByRole('switch', { name: /^Published/ })
      .click();
    await expect(page.getByRole('alert')).toHaveText('Failed to update article status. Please try again.');
  });
}

test('a switch keeps its state when the server is unreachable', async ({ page, stack, articlePages: _ }) => {
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

for (const mode of MODES) {
  test(`an edit is saved, without the markup that articles may not contain${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
    articlePages: _,
  }) => {
    const { id } = await writeArticle(stack, { title: 'Before', published: true });
    await page.goto('/dashboard/articles');
    await page.getByRole('link', { name: 'Edit Before' }).click();
    await expect(titleField(page)).toHaveValue('Before');
    await titleField(page).fill('After');
    const content = await whenWritable(page, javaScriptEnabled);
    await content.fill(
      javaScriptEnabled === false
        ? '<p>New <strong>words</strong><script>alert(1)</script></p>'
        : 'New words',
    );
    await page.getByLabel('Published', { exact: true }).uncheck();
    await save(page).click();
    await expect(page.getByText('Article saved.')).toBeVisible();
    await page.goto('/dashboard/articles');
    await expect(row(page, 'After').getByText('Draft', { exact: true })).toBeVisible();
    await page.goto(`/news/${id}`);
    await expect(page.locator('.article-body')).toHaveText('New words');
  });
}

test('saving keeps the dialog open, and only unsaved changes ask for confirmation on leaving', async ({
  page,
  stack,
  articlePages: _,
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

for (const mode of MODES) {
  test(`two admins: a save over another admin’s change asks first${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
    articlePages: _,
  }) => {
    const { id } = await writeArticle(stack, { title: 'Shared' });
    await page.goto(`/dashboard/articles/${id}`);
    await whenWritable(page, javaScriptEnabled);
    await changeStoredArticle(stack, id, { title: 'Theirs' });
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
}

for (const mode of MODES) {
  test(`an article that another admin deleted keeps the typed text${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
    articlePages: _,
  }) => {
    const { id } = await writeArticle(stack, { title: 'Fading' });
    await page.goto(`/dashboard/articles/${id}`);
    await fillArticle(page, javaScriptEnabled, { title: 'Still here', content: 'My words' });
    await deleteStoredArticle(stack, id);
    if (javaScriptEnabled !== false) {
      await save(page).click();
      await expect(page.getByRole('alert')).toContainText('Someone has deleted this article.');
      await expect(titleField(page)).toHaveValue('Still here');
    }
    await page.goto(`/dashboard/articles/${id}`);
    await expect(page.getByRole('alert')).toHaveText('Failed to load article for editing.');
    await expect(page.getByText('It may have been deleted.')).toBeVisible();
  });
}

test('a save that does not reach the server says so and keeps the typed text', async ({
  page,
  stack,
  articlePages: _,
}) => {
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

test('a session that ended does not lose the typed text', async ({ page, stack, articlePages: _ }) => {
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

for (const mode of MODES) {
  test(`deleting asks for confirmation${mode}`, async ({ page, stack, articlePages: _ }) => {
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
}

test('a deletion that fails says so', async ({ page, stack, articlePages: _ }) => {
  await writeArticle(stack, { title: 'Sturdy' });
  await page.goto('/dashboard/articles');
  await page.getByRole('link', { name: 'Delete Sturdy' }).click();
  await page.route('**/dashboard/articles/**/delete**', (route) => route.abort());
  await page.getByRole('button', { name: 'Delete article' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to delete article. Please try again.');
});

test('a new article’s draft keeps the typed text when another admin changes or deletes it', async ({
  page,
  stack,
  articlePages: _,
}) => {
  await page.goto('/dashboard/articles/new');
  await fillArticle(page, true, { title: 'Mine', content: 'My words' });
  await dropImages(contentField(page), 'paste', [await picture('blue.png')]);
  await expect(contentField(page).locator('img')).toHaveCount(1);
  const [made] = await articlesByApi(page);
  const id = made?.id ?? '';

  // What this browser kept brings the draft back along with the words.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await whenWritable(page, true);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText(DRAFT_MADE)).toBeVisible();

  await changeStoredArticle(stack, id, { title: 'Theirs' });
  await save(page).click();
  await expect(page.getByRole('alert')).toContainText('Someone else has changed this article');
  await expect(page.getByRole('link', { name: /^See the saved version/ })).toHaveAttribute(
    'href',
    `/news/${id}`,
  );
  await deleteStoredArticle(stack, id);
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'Someone has deleted this draft along with its images.',
  );
  await expect(titleField(page)).toHaveValue('Mine');
  await expect(contentField(page)).toContainText('My words');
  await expect(page.getByText(DRAFT_MADE)).toHaveCount(0);

  // There is nothing left: the next save makes a new article, without the images that are gone.
  await save(page).click();
  await expect(page.getByText('Article created.', { exact: false })).toBeVisible();
  expect(await articlesByApi(page)).toMatchObject([
    { title: 'Mine', content: expect.stringMatching(/^<p>My words<\/p>/) },
  ]);
  expect((await articlesByApi(page))[0]?.content).not.toContain('<img');
});

test('a restored draft does not overwrite what another admin has saved since', async ({
  page,
  stack,
  articlePages: _,
}) => {
  const { id } = await writeArticle(stack, { title: 'Ours' });
  await page.goto(`/dashboard/articles/${id}`);
  await fillArticle(page, true, { title: 'Mine', content: 'My words' });
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).some((value) => value.includes('My words'))))
    .toBe(true);
  await changeStoredArticle(stack, id, { title: 'Theirs' });
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

for (const mode of MODES) {
  test(`ticking a box does not change an unedited text${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
    articlePages: _,
  }) => {
    // The editor would put each block on its own line.
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
}

for (const mode of MODES) {
  test(`while the news section is off, no link leads to its pages${mode}`, async ({
    page,
    stack,
    javaScriptEnabled,
    articlePages: _,
  }) => {
    const { id } = await writeArticle(stack, { title: 'Unseen', published: true });
    await withDatabase(stack.dataDir, (db) => setNewsSection(db, false));
    await page.goto('/dashboard/articles');
    const unseen = row(page, 'Unseen');
    await expect(unseen.getByText('News section is off')).toBeVisible();
    await expect(unseen.getByRole('link', { name: /^(View|Preview)/ })).toHaveCount(0);
    await page.goto(`/dashboard/articles/${id}`);
    await whenWritable(page, javaScriptEnabled);
    await changeStoredArticle(stack, id, { title: 'Theirs' });
    await titleField(page).fill('Mine');
    await save(page).click();
    await expect(page.getByRole('button', { name: 'Overwrite' })).toBeVisible();
    await expect(page.getByText('News section is off', { exact: false })).toBeVisible();
    await expect(page.getByRole('link', { name: /^See the saved version/ })).toHaveCount(0);
  });
}

test('a saved article leaves no draft behind', async ({ page, articlePages: _ }) => {
  await page.goto('/dashboard/articles/new');
  await fillArticle(page, true, { title: 'Drafted', content: 'Words' });
  await save(page).click();
  await expect(page.getByText('Article created.', { exact: false })).toBeVisible();
  await page.goto('/dashboard/articles/new');
  await whenWritable(page, true);
  await expect(page.getByText('You have an unsaved draft')).toHaveCount(0);
});

test('the article pages have no accessibility fault', async ({ page, stack, articlePages: _ }) => {
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
  await expectNoFaults(page, page.getByRole('dialog', { name: 'Delete this file?' }));
  await page.goto(`/dashboard/articles/${id}`);
  await whenWritable(page, true);
  await expectNoFaults(page);
  await page.goto('/dashboard/articles/new');
  await whenWritable(page, true);
  await expectNoFaults(page);
  await page.goto(`/dashboard/articles/${id}/delete`);
  await expectNoFaults(page);
});

test('the confirmations of the article pages have no accessibility fault', async ({
  page,
  stack,
  articlePages: _,
}) => {
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
  await changeStoredArticle(stack, id, { title: 'Theirs' });
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
  await expectNoFaults(page, leaving);
  await leaving.getByRole('button', { name: 'Leave' }).click();
  await expect(leaving).toHaveCount(0);
});

for (const width of [360, 1280]) {
  test(`the list holds still while it loads at ${width} pixels @own-context`, async ({
    page,
    stack,
    articlePages: _,
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

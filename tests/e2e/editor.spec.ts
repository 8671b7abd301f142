import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { withoutImages } from '#shared/news/media/text-images';
import { fullToolbarHtml, xssContents } from '../xss-corpus';
import { keepImage } from './article-data';
import { expectNoFaults, layoutShifts, watchLayout } from './page-quality';
import { signInAdmin } from './people';
import { expect, test, type SharedStack } from './test';

/** Stands on every link. */
const RELATIONS = 'rel="noopener noreferrer nofollow"';

const FIRST = '<p>Two boxes are on their way.</p>';

const clipboard = (name: string) =>
  readFileSync(new URL(`../fixtures/clipboard/${name}.html`, import.meta.url), 'utf8');

const picture = (width = 640, height = 360) =>
  sharp({ create: { width, height, channels: 3, background: '#4a4fd8' } })
    .png()
    .toBuffer();

/** The API calls of the article pages, as the signed-in admin. */
async function callApi<Answer>(
  page: Page,
  stack: SharedStack,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await page.context().request.fetch(`${stack.siteUrl}/api/news/admin/articles${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Origin: stack.siteUrl },
    ...(body === undefined ? {} : { data: body }),
  });
  expect(answer.status(), path).toBeLessThan(300);
  return ((await answer.json()) as { data: Answer }).data;
}

/** What is saved of an article. */
async function savedContent(page: Page, stack: SharedStack, id: string): Promise<string> {
  const { article } = await callApi<{ article: { content: string } }>(page, stack, `/${id}`);
  return article.content;
}

/** Signs the admin in and opens a fresh article for editing. Gives its id. */
async function openArticle(page: Page, stack: SharedStack, content = FIRST): Promise<string> {
  await signInAdmin(page, stack);
  const fields = { title: 'Restock at nine', content, published: false };
  const { article } = await callApi<{ article: { id: string } }>(page, stack, '', fields);
  await page.goto(`/dashboard/articles/${article.id}`);
  await expect(toolbar(page)).toBeVisible();
  return article.id;
}

const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'Text formatting' });
const text = (page: Page) => page.getByRole('textbox', { name: 'Content' });
const tool = (page: Page, name: string) => toolbar(page).getByRole('button', { name, exact: true });
/** What Save would send. */
const html = (page: Page) => page.locator('[name=content]').inputValue();

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Article saved.')).toBeVisible();
}

/** Empties the text, so that the caret is in a plain paragraph. */
async function empty(page: Page): Promise<void> {
  await text(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Control+Alt+0');
  await expect.poll(() => html(page)).toBe('');
}

/** The browser reports a moved caret in its own task. */
async function caretSettled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  );
}

async function paste(page: Page, data: Record<string, string>): Promise<void> {
  await caretSettled(page);
  await text(page).evaluate((element, held) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(held)) clipboardData.setData(type, value);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

/** Pastes or drops files. */
async function bring(
  page: Page,
  how: 'paste' | 'drop',
  files: { name: string; type: string; bytes: Buffer }[],
): Promise<void> {
  const carried = files.map(({ bytes, ...file }) => ({ ...file, base64: bytes.toString('base64') }));
  await text(page).evaluate(
    (element, { how, carried }) => {
      const transfer = new DataTransfer();
      for (const { name, type, base64 } of carried) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type }));
      }
      const { left, top } = element.getBoundingClientRect();
      element.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
          : new DragEvent('drop', {
              dataTransfer: transfer,
              bubbles: true,
              cancelable: true,
              clientX: left + 40,
              clientY: top + 30,
            }),
      );
    },
    { how, carried },
  );
}

test('every button of the toolbar does what it says', async ({ page, stack }) => {
  test.slow();
  const id = await openArticle(page, stack);
  await empty(page);
  const lines: string[] = [];
  /** Types a line with some buttons pressed, and presses them again at its end. */
  const line = async (words: string, buttons: string[], right: string, after = buttons) => {
    for (const button of buttons) await tool(page, button).click();
    for (const button of buttons) await expect(tool(page, button)).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    for (const button of after) await tool(page, button).click();
    lines.push(right);
    await expect.poll(() => html(page)).toBe(lines.join('\n'));
  };
  await line('One', ['H1, Heading 1'], '<h1>One</h1>', []);
  await line('Two', ['H2, Heading 2'], '<h2>Two</h2>', []);
  await line('Three', ['H3, Heading 3'], '<h3>Three</h3>', []);
  await line('b', ['Bold'], '<p><strong>b</strong></p>');
  await line('i', ['Italic'], '<p><em>i</em></p>');
  await line('u', ['Underline'], '<p><u>u</u></p>');
  await line('s', ['Strikethrough'], '<p><s>s</s></p>');
  await line(
    'all',
    ['Bold', 'Italic', 'Underline', 'Strikethrough'],
    '<p><strong><em><u><s>all</s></u></em></strong></p>',
  );
  await line('c', ['Centre'], '<p class="align-center">c</p>', []);
  await line('r', ['Align right'], '<p class="align-right">r</p>', []);
  await line('j', ['Justify'], '<p class="align-justify">j</p>', ['Align left']);
  await line('q', ['Quote'], '<blockquote>q</blockquote>', []);
  await line('dot', ['Bulleted list'], '<ul><li>dot</li></ul>');
  await line('nr', ['Numbered list'], '<ol><li>nr</li></ol>');

  await tool(page, 'Indent').click();
  await tool(page, 'Indent').click();
  await tool(page, 'Outdent').click();
  await line('in', [], '<p class="indent-1">in</p>', []);

  await tool(page, 'Code block').click();
  await page.keyboard.type('if (a < b)');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('  go()');
  lines.push('<pre><code>if (a &lt; b)\n  go()</code></pre>');
  for (const name of ['Bold', 'Align left', 'Centre', 'Align right', 'Justify', 'Link'])
    await expect(tool(page, name)).toHaveAttribute('aria-disabled', 'true');
  await expect.poll(() => html(page)).toBe(lines.join('\n'));

  await tool(page, 'Undo').click();
  await expect.poll(() => html(page)).not.toBe(lines.join('\n'));
  await tool(page, 'Redo').click();
  await expect.poll(() => html(page)).toBe(lines.join('\n'));

  await save(page);
  expect(await savedContent(page, stack, id)).toBe(lines.join('\n'));
  await page.reload();
  await expect(toolbar(page)).toBeVisible();
  await expect.poll(() => html(page)).toBe(lines.join('\n'));
  await expect(page.getByText('Not saved yet')).toBeHidden();
});

test('every shortcut does what the list of them says', async ({ page, stack }) => {
  test.slow();
  await openArticle(page, stack);
  for (const [keys, right] of [
    ['Control+b', '<p><strong>x</strong></p>'],
    ['Control+i', '<p><em>x</em></p>'],
    ['Control+u', '<p><u>x</u></p>'],
    ['Control+Shift+s', '<p><s>x</s></p>'],
    ['Control+Shift+x', '<p><s>x</s></p>'],
    ['Control+Alt+1', '<h1>x</h1>'],
    ['Control+Alt+2', '<h2>x</h2>'],
    ['Control+Alt+3', '<h3>x</h3>'],
    ['Control+Shift+7', '<ol><li>x</li></ol>'],
    ['Control+Shift+8', '<ul><li>x</li></ul>'],
    ['Control+Shift+9', '<blockquote>x</blockquote>'],
  ] as const) {
    await empty(page);
    await page.keyboard.press(keys);
    await page.keyboard.type('x');
    await expect.poll(() => html(page), keys).toBe(right);
  }
  await page.keyboard.press('Control+Alt+0');
  await expect.poll(() => html(page)).toBe('<p>x</p>');
  await page.keyboard.press('Control+z');
  await expect.poll(() => html(page)).toBe('<blockquote>x</blockquote>');
  await page.keyboard.press('Control+y');
  await expect.poll(() => html(page)).toBe('<p>x</p>');
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Ctrl+Shift+7');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden();
  await expect(text(page)).toBeFocused();
});

test('the keyboard alone writes a nested list and a link, uses the toolbar and leaves the text', async ({
  page,
  stack,
}) => {
  await openArticle(page, stack);
  await empty(page);
  await page.keyboard.press('Control+Shift+8');
  await page.keyboard.type('one');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('three');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => html(page)).toBe('<ul><li>one<ul><li>two</li></ul></li><li>three</li></ul>');

  // Inside a list Tab is for depth, and Esc gives it back.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(text(page)).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(text(page)).toBeFocused();

  await page.keyboard.press('Alt+F10');
  await expect(tool(page, 'Paragraph')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await expect(tool(page, 'Undo')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => html(page)).toContain('<h2>three</h2>');
  await expect(text(page)).toBeFocused();

  await empty(page);
  await page.keyboard.type('See this');
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await caretSettled(page);
  await page.keyboard.press('Control+k');
  const address = page.getByLabel('Link address');
  await expect(address).toBeFocused();
  await page.keyboard.type('javascript:alert(1)');
  await page.keyboard.press('Enter');
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await address.fill('example.com/tin');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => html(page))
    .toBe(`<p>See <a href="https://example.com/tin" ${RELATIONS}>this</a></p>`);
  await expect(text(page)).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(address).toHaveValue('https://example.com/tin');
  await address.fill('/news');
  await page.keyboard.press('Enter');
  await expect.poll(() => html(page)).toBe(`<p>See <a href="/news" ${RELATIONS}>this</a></p>`);
  await page.keyboard.press('Control+k');
  await page.getByRole('button', { name: 'Remove link' }).press('Enter');
  await expect.poll(() => html(page)).toBe('<p>See this</p>');

  await page.keyboard.press('End');
  await caretSettled(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('someone@example.com');
  await page.getByLabel('Text to display').fill(' write ');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => html(page))
    .toBe(`<p>See this<a href="mailto:someone@example.com" ${RELATIONS}>write</a></p>`);
});

test('text pasted from Word, Google Docs and web pages is cleaned', async ({ page, stack }) => {
  const id = await openArticle(page, stack);
  const notice = page.getByText(
    'Images from other sites are not copied. Save them to your device, then add them as files.',
  );
  await empty(page);
  await paste(page, { 'text/html': clipboard('word'), 'text/plain': 'plain' });
  await expect(notice).toBeVisible();
  await expect
    .poll(() => html(page))
    .toContain(
      '<ul><li>Elite Trainer Box<ul><li>one each</li></ul></li><li><strong>Booster bundle</strong></li></ul>',
    );
  await page.getByRole('button', { name: 'Got it' }).click();
  await expect(notice).toBeHidden();

  await empty(page);
  await paste(page, { 'text/html': clipboard('google-docs'), 'text/plain': 'plain' });
  await expect
    .poll(() => html(page))
    .toBe(
      [
        '<h2>What to bring</h2>',
        `<p class="align-center">A <strong>full</strong> binder, <em>please</em><s>, today</s> and <a href="https://docs.example.com/list" ${RELATIONS}>a list</a></p>`,
        '<ul><li>Sleeves<ul><li>clear ones</li></ul></li><li>A pen</li></ul>',
      ].join('\n'),
    );
  await save(page);
  expect(await savedContent(page, stack, id)).toBe(await html(page));

  await empty(page);
  await paste(page, { 'text/html': clipboard('web-page'), 'text/plain': 'plain' });
  await expect.poll(() => html(page)).toContain('<pre><code>const a = 1;</code></pre>');
  expect(await html(page)).toContain(
    `<p>do not press <a href="https://example.com/a" ${RELATIONS}>press</a></p>`,
  );

  await empty(page);
  await paste(page, { 'text/plain': 'one\ntwo\n\nthree' });
  await expect.poll(() => html(page)).toBe('<p>one<br>two</p>\n<p>three</p>');

  await empty(page);
  await page.keyboard.type('ac');
  await page.keyboard.press('ArrowLeft');
  // What is typed there shows that the editor has the caret, too.
  await page.keyboard.type('b');
  await expect.poll(() => html(page)).toBe('<p>abc</p>');
  await paste(page, { 'text/html': '<span style="font-weight:700">mid</span>' });
  await expect.poll(() => html(page)).toBe('<p>ab<strong>mid</strong>c</p>');
});

test('pictures are pasted, dropped and chosen, show at once and are described', async ({ page, stack }) => {
  const id = await openArticle(page, stack, '<p>Before</p>');
  await text(page).click();
  await page.keyboard.press('Control+End');
  await bring(page, 'paste', [{ name: 'tin.png', type: 'image/png', bytes: await picture() }]);
  const images = text(page).locator('img');
  await expect(images).toHaveCount(1);
  await expect(images.first()).toHaveAttribute('width', /\d+/);

  await bring(page, 'drop', [
    { name: 'one.png', type: 'image/png', bytes: await picture(300, 200) },
    { name: 'two.png', type: 'image/png', bytes: await picture(200, 300) },
  ]);
  await expect(images).toHaveCount(3);

  const choosing = page.waitForEvent('filechooser');
  await tool(page, 'Add images').click();
  await (
    await choosing
  ).setFiles({ name: 'box.png', mimeType: 'image/png', buffer: await picture(400, 400) });
  await expect(images).toHaveCount(4);

  await images.first().click();
  await expect(page.getByRole('dialog', { name: 'Image' }).getByLabel('Alternative text')).toBeFocused();
  await page.keyboard.type('A tin on a table');
  await page.keyboard.press('Enter');
  await expect(text(page).locator('img[alt="A tin on a table"]')).toHaveCount(1);

  await images.last().click();
  await page.getByRole('button', { name: 'Remove image' }).click();
  await expect(images).toHaveCount(3);
  await save(page);
  const saved = await savedContent(page, stack, id);
  expect(
    saved.match(/<img src="\/uploads\/[\w-]+\/[\w.-]+" alt="[^"]*" width="\d+" height="\d+">/g),
  ).toHaveLength(3);
  expect(saved).toContain('alt="A tin on a table"');

  await bring(page, 'drop', [{ name: 'film.mp4', type: 'video/mp4', bytes: Buffer.from('film') }]);
  await expect(page.getByText('Add videos below the text.')).toBeVisible();
  await bring(page, 'drop', [{ name: 'list.pdf', type: 'application/pdf', bytes: Buffer.from('pdf') }]);
  await expect(page.getByText("list.pdf can't be used as an image in the text.")).toBeVisible();
  await expect(images).toHaveCount(3);
});

test('a picture that is on its way holds Save up, and one that failed can be tried again', async ({
  page,
  stack,
}) => {
  await openArticle(page, stack);
  let answer: 'wait' | 'fail' | 'go' = 'wait';
  let release = () => {};
  await page.route('**/api/news/admin/articles/*/media', async (route) => {
    if (answer === 'fail') {
      return route.fulfill({ json: { success: false, message: 'This picture cannot be read.' } });
    }
    if (answer === 'wait') await new Promise<void>((resolve) => (release = resolve));
    return route.continue();
  });
  await text(page).click();
  await bring(page, 'paste', [{ name: 'tin.png', type: 'image/png', bytes: await picture() }]);
  await expect(page.getByRole('img', { name: 'tin.png' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Uploading tin.png' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  expect(await html(page)).not.toContain('<img');
  answer = 'go';
  release();
  await expect.poll(() => html(page)).toContain('<img src="/uploads/');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();

  answer = 'fail';
  await bring(page, 'paste', [{ name: 'odd.png', type: 'image/png', bytes: await picture() }]);
  await expect(
    page.getByRole('alert').filter({ hasText: /\.\w+: This picture cannot be read\./ }),
  ).toBeVisible();
  expect((await html(page)).match(/<img/g)).toHaveLength(1);
  answer = 'go';
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(async () => (await html(page)).match(/<img/g)).toHaveLength(2);
});

test('a draft survives a reload and a closed tab, and goes when it is saved', async ({
  page,
  context,
  stack,
}) => {
  const id = await openArticle(page, stack);
  await text(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' And a third.');
  await page.getByLabel('Title').fill('Restock at ten');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  const offer = page.getByText('You have an unsaved draft from');
  await expect(offer).toBeVisible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(offer).toBeHidden();
  await expect(text(page)).toContainText('And a third.');
  await expect(page.getByLabel('Title')).toHaveValue('Restock at ten');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.close();

  const second = await context.newPage();
  await second.goto(`/dashboard/articles/${id}`);
  await second.getByRole('button', { name: 'Restore' }).click();
  await expect(text(second)).toContainText('And a third.');
  await save(second);
  expect(await savedContent(second, stack, id)).toBe('<p>Two boxes are on their way. And a third.</p>');
  await second.reload();
  await expect(toolbar(second)).toBeVisible();
  await expect(second.getByText('You have an unsaved draft from')).toBeHidden();
  expect(
    await second.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft'))),
  ).toEqual([]);
});

// A separate context, because the pages of a context share the process that crashes.
test('a draft survives a crash of the page, and can be thrown away @own-context', async ({
  page,
  context,
  stack,
}) => {
  const id = await openArticle(page, stack);
  await text(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Lost?');
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).some((value) => value.includes('Lost?'))))
    .toBe(true);
  // The page gets no event, as after a crash.
  const crashed = page.waitForEvent('crash');
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
  const second = await context.newPage();
  await second.goto(`/dashboard/articles/${id}`);
  await second.getByRole('button', { name: 'Discard' }).click();
  await expect(text(second)).not.toContainText('Lost?');
  await second.reload();
  await expect(toolbar(second)).toBeVisible();
  await expect(second.getByText('You have an unsaved draft from')).toBeHidden();
});

test('two tabs keep a draft each, and a new article leaves none behind', async ({ page, context, stack }) => {
  await signInAdmin(page, stack);
  await page.goto('/dashboard/articles/new');
  await expect(toolbar(page)).toBeVisible();
  await page.getByLabel('Title').fill('First tab');
  await text(page).click();
  await page.keyboard.type('from the first');
  const draftsHold = (words: string) =>
    page.evaluate((said) => Object.values(localStorage).some((value) => value.includes(said)), words);
  await expect.poll(() => draftsHold('from the first')).toBe(true);

  const second = await context.newPage();
  await second.goto('/dashboard/articles/new');
  await expect(second.getByText('You have an unsaved draft from')).toBeVisible();
  await text(second).click();
  await second.keyboard.type('from the second');
  await expect.poll(() => draftsHold('from the second')).toBe(true);
  expect(await draftsHold('from the first')).toBe(true);

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Article created.')).toBeVisible();
  await expect.poll(() => draftsHold('from the first')).toBe(false);
  expect(await draftsHold('from the second')).toBe(true);
});

test('a browser that stores nothing still writes and saves', async ({ page, stack }) => {
  const id = await openArticle(page, stack);
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  await page.reload();
  await expect(toolbar(page)).toBeVisible();
  await text(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Still here.');
  await save(page);
  expect(await savedContent(page, stack, id)).toContain('Still here.');
});

test('when the editor cannot be loaded, the field stays and saves', async ({ page, stack }) => {
  const id = await openArticle(page, stack);
  await page.route(/writer\.client/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("cut off");' }),
  );
  await page.reload();
  await expect(page.getByText('The editor could not be loaded; this field works without it.')).toBeVisible();
  await text(page).fill('<p>By <b>hand</b></p>');
  await save(page);
  expect(await savedContent(page, stack, id)).toBe('<p>By <strong>hand</strong></p>');
});

// The page was opened again, and what stood in the other fields was lost; without a connection it became the browser's own.
test('an editor that cannot be loaded leaves what was typed in another field', async ({ page, stack }) => {
  await openArticle(page, stack);
  const title = page.getByLabel('Title');
  let cut = (): void => undefined;
  const typed = new Promise<void>((resolve) => (cut = resolve));
  await page.route(/writer\.client/, async (route) => {
    await typed;
    await route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("cut off");' });
  });
  await page.reload();
  await title.fill('Another title');
  await title.blur();
  cut();
  await expect(page.getByText('The editor could not be loaded; this field works without it.')).toBeVisible();
  await expect(title).toHaveValue('Another title');
});

test('the editor comes without moving the page, and has no faults in any face @own-context', async ({
  page,
  stack,
}) => {
  test.slow();
  await watchLayout(page);
  await openArticle(
    page,
    stack,
    '<h3>One</h3><p>Two <a href="/news">three</a></p><ul><li>a<ul><li>b</li></ul></li></ul><blockquote>q</blockquote><pre><code>c</code></pre>',
  );
  expect(await layoutShifts(page)).toEqual([]);
  // The heading buttons show "H1" and were called "Heading 1" alone (WCAG 2.2, 2.5.3).
  for (const button of await toolbar(page).getByRole('button').all()) {
    const shown = (await button.innerText()).trim().toLowerCase();
    expect((await button.getAttribute('aria-label'))?.toLowerCase()).toContain(shown);
  }
  await expectNoFaults(page);
  await text(page).click();
  await page.keyboard.press('Control+k');
  await expectNoFaults(page, page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await expectNoFaults(page, page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
});

test('no pasted XSS payload runs, and what the toolbar makes stays', async ({ page, stack }) => {
  test.slow();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const body = await picture();
  await page.route('**/uploads/**', (route) => route.fulfill({ contentType: 'image/png', body }));
  const [, uploadId = ''] = /\/uploads\/([^/]+)\//.exec(fullToolbarHtml) ?? [];
  await keepImage(stack, uploadId);
  const id = await openArticle(page, stack, fullToolbarHtml);
  const opened = await html(page);
  expect(opened).toBe(fullToolbarHtml);
  await text(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('.');
  await expect.poll(() => html(page)).not.toBe(opened);
  const loaded = await html(page);
  await caretSettled(page);
  await text(page).evaluate(
    async (element, payloads) => {
      for (const payload of payloads) {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/html', payload);
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
        await new Promise((done) => setTimeout(done));
      }
    },
    xssContents.map((payload) => payload.html),
  );
  await page.keyboard.type('end');
  const written = await html(page);
  // The first paste continues in the last paragraph.
  expect(written.startsWith(loaded.slice(0, loaded.lastIndexOf('</p>')))).toBe(true);
  const names = await page.evaluate((content) => {
    // As a browser reads it: every element and attribute that is really there.
    const { body } = new DOMParser().parseFromString(content, 'text/html');
    return [...body.querySelectorAll('*')].flatMap((element) => [
      element.localName,
      ...[...element.attributes].map(({ name, value }) =>
        /^(href|src)$/.test(name) ? `${name} ${value.split(/[:/]/)[0]}` : name,
      ),
    ]);
  }, written);
  const allowed =
    'p br h1 h2 h3 strong em u s ul ol li blockquote pre code a img rel class alt width height'.split(' ');
  const addresses = ['href http', 'href https', 'href mailto', 'href ', 'src '];
  expect(names.filter((name) => !allowed.includes(name) && !addresses.includes(name))).toEqual([]);
  await save(page);
  // Images that no article has stay behind.
  expect(await savedContent(page, stack, id)).toBe(withoutImages(written, (found) => found !== uploadId));
  await page.reload();
  await expect(toolbar(page)).toBeVisible();
  expect(dialogs).toEqual([]);
});

test('without scripts the article is written as HTML in a field @no-scripts', async ({ page, stack }) => {
  await signInAdmin(page, stack);
  await page.goto('/dashboard/articles/new');
  await page.getByLabel('Title').fill('Written by hand');
  await text(page).fill('<h2>By <i>hand</i></h2>\n<p onclick="x()">and <b>saved</b></p>');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Article created.')).toBeVisible();
  await expect(text(page)).toHaveValue('<h2>By <em>hand</em></h2>\n<p>and <strong>saved</strong></p>');
});

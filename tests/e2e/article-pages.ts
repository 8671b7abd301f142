import type { Locator, Page } from 'playwright/test';
import type { Article, ArticlePage } from '#shared/news/article';
import { clearArticles } from './article-data';
import { signInAdmin } from './people';
import { expect, test as base } from './test';

export { expect };

/** The browser logs refused and broken requests as errors; here they are what is tested. */
const expected = /Failed to load resource|net::ERR_FAILED/;

export const test = base.extend<{ articlePages: void }>({
  notedFaults: expected,
  // A signed-in admin who has chosen their cookies, and no articles.
  articlePages: async ({ page, stack, context }, use) => {
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

export const row = (page: Page, title: string) => page.locator('[data-article]').filter({ hasText: title });
export const titleField = (page: Page) => page.getByLabel('Title', { exact: true });
export const contentField = (page: Page) => page.getByRole('textbox', { name: 'Content', exact: true });
export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
export const chooser = (page: Page) => page.getByLabel('Add images and videos');
export const media = (page: Page, name: string) => page.locator('[data-media]').filter({ hasText: name });

export const DRAFT_MADE = 'Saved as a draft so images can be attached.';

/** Every article, drafts too, as the API gives them to the admin who is signed in. */
export async function articlesByApi(page: Page): Promise<Article[]> {
  const answer = await page.evaluate(() =>
    fetch('/api/news/admin/articles').then((response) => response.json() as unknown),
  );
  return (answer as { data: ArticlePage }).data.articles;
}

/** Pastes or drops pictures into the text. */
export async function dropImages(
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

/** With scripts, waits until the editor has replaced the field. */
export async function whenWritable(page: Page, scripts: boolean | undefined): Promise<Locator> {
  const field = contentField(page);
  if (scripts !== false) await expect(field).toHaveAttribute('contenteditable', 'true');
  return field;
}

export async function fillArticle(
  page: Page,
  scripts: boolean | undefined,
  { title, content }: { title: string; content: string },
): Promise<void> {
  await titleField(page).fill(title);
  await (await whenWritable(page, scripts)).fill(content);
}

import type { Page } from 'playwright/test';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { pagesOf, ROLES, type Role } from './page-list';
import { goThroughDiscord, joinDiscord } from './people';
import { expect, test } from './test';
import { longestAddress, startWideSite, wide, type WideSite } from './wide-site';

const WIDTH = 320;
const TYPED = ['name', 'price', 'retailer', 'source', 'username']
  .map((name) => `${name}=${wide(200)}`)
  .join('&');

let site: WideSite;

test.beforeAll(async () => {
  site = await startWideSite();
});

test.afterAll(() => site.stop());

/** The pages that scroll sideways, with the elements that make them wide. */
async function widePages(page: Page, paths: readonly string[]): Promise<string[]> {
  await page.setViewportSize({ width: WIDTH, height: 640 });
  const found: string[] = [];
  for (const path of paths) {
    const answer = await page.goto(site.url + path);
    expect(answer?.status(), path).toBeLessThan(400);
    const wider = await page.evaluate((width) => {
      const { scrollWidth } = document.documentElement;
      if (scrollWidth <= width) return [];
      // What fits once its words may break anywhere is the cause; what it pushed aside is not.
      const isCause = (element: Element) =>
        [...element.childNodes].some(
          ({ nodeType, nodeValue }) => nodeType === 3 && /\S{40}/.test(nodeValue ?? ''),
        ) &&
        getComputedStyle(element).overflowWrap !== 'anywhere' &&
        element.checkVisibility();
      const isWide = (element: Element) =>
        element.matches('select, input, textarea, table') && element.getBoundingClientRect().right > width;
      return [...document.querySelectorAll('body *')]
        .filter((element) => isCause(element) || isWide(element))
        .slice(0, 8)
        .map(
          (element) =>
            `<${element.localName} class="${element.getAttribute('class')}"> ${element.textContent.slice(0, 40)}`,
        );
    }, WIDTH);
    if (wider.length > 0) found.push(`${path}: ${wider.join(' | ')}`);
  }
  return found;
}

/** Pages that show what their address says. */
const TYPED_PAGES: Record<Role, readonly string[]> = {
  visitor: [`/restock/ps5?${TYPED}`, `/auth/discord/error?reason=${wide(200)}`],
  member: [`/restock/ps5?${TYPED}`],
  admin: [`/dashboard/members?find=${wide(200)}`],
};

for (const role of ROLES) {
  test(`the longest names and addresses fit a screen of ${WIDTH} pixels: ${role} pages @no-scripts`, async ({
    page,
  }) => {
    if (role !== 'visitor')
      await page
        .context()
        .addCookies([{ name: PLAIN_SESSION_COOKIE, value: site.tokens[role], url: site.url }]);
    const paths = [...pagesOf(role, site.ids), ...TYPED_PAGES[role]];
    expect(await widePages(page, paths)).toEqual([]);
  });
}

test('the longest address fits the page that asks for the code @no-scripts', async ({ page, stack }) => {
  const email = longestAddress('verify');
  await joinDiscord(stack, { email, password: '', persona: 'verify-wide' });
  await page.goto('/login');
  await goThroughDiscord(page, stack, 'verify-wide');
  await page.waitForURL('/login?step=verify');
  await page.setViewportSize({ width: WIDTH, height: 640 });
  await expect(page.getByText(email)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(WIDTH);
});

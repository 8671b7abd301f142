import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { createSession } from '#shared/accounts/sessions';
import { MINUTE, systemClock, toIso } from '#shared/clock';
import { openDatabase, type Database } from '#shared/database/connection.server';
import { newId } from '#shared/ids';
import { setRetailers, setTrackingSets } from '#shared/settings/write-settings';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { addAlert, addWatch } from '../integration/monitor/status-data';
import { setScene } from './monitor-scenes';
import { setArticles, storePicture } from './news-data';
import { pagesOf, ROLES, type Role } from './page-list';
import { goThroughDiscord, joinDiscord } from './people';
import { runTool, startWeb, type Web } from './stack';
import { expect, test } from './test';

const WIDTH = 320;
const NOW = Date.now();
/** As long as each field takes, without a place to break. */
const wide = (length: number) => 'W'.repeat(length);
/** The longest address that a mail server takes (RFC 5321, 4.5.3.1). */
const longestAddress = (name: string) =>
  `${name}${'w'.repeat(64 - name.length)}@${'w'.repeat(63)}.${'w'.repeat(63)}.${'w'.repeat(53)}.example`;
const ARTICLE = '5b7a4f0e-3a55-4f1c-9d2b-7a7f3c1d9e01';
const RELEASE = '5b7a4f0e-3a55-4f1c-9d2b-7a7f3c1d9e02';
const SLUG = 'w'.repeat(50);
const TYPED = ['name', 'price', 'retailer', 'source', 'username']
  .map((name) => `${name}=${wide(200)}`)
  .join('&');

let folder: string;
let db: Database;
let web: Web;
const accounts = { member: '', admin: '' };

/** Adds an account whose every text is as long as it may be; returns a session's token. */
async function addAccount(role: 'member' | 'admin'): Promise<string> {
  const now = toIso(NOW);
  const accountId = newId();
  accounts[role] = accountId;
  await db
    .insertInto('users')
    .values({
      id: accountId,
      email: longestAddress(role),
      email_verified_at: now,
      username: wide(100),
      discord_id: role === 'member' ? '1' : '2',
      discord_username: wide(32),
      role,
      mail_bounced_at: now,
      mail_bounce_reason: wide(200),
      beta_ever_requested: 1,
      beta_requested_at: now,
      beta_approved_at: role === 'admin' ? now : null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  const { token } = await createSession(db, { accountId, userAgent: wide(400), clock: systemClock });
  return token;
}

const tokens = { member: '', admin: '' };

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-wide-'));
  const environment = { DATA_DIR: folder, NODE_ENV: 'production', SANDBOX: '1' };
  await runTool('migrate', [], environment, folder);
  db = openDatabase(join(folder, 'packwatch.db'));
  const file = await storePicture(folder);
  const story = {
    title: wide(200),
    excerpt: wide(500),
    author: wide(100),
    content: `<h2>${wide(200)}</h2><p>${wide(300)}</p><ul><li>${wide(300)}</li></ul><table><tr><td>${wide(300)}</td></tr></table><pre>${wide(300)}</pre><blockquote>${wide(300)}</blockquote><p><a href="https://x.example/">${wide(300)}</a></p>`,
  };
  await setArticles(db, [
    { ...story, id: ARTICLE, featured: true, media: [{ file, caption: wide(500), altText: wide(300) }] },
    story,
  ]);
  const byHand = { actor: { userId: null }, clock: systemClock };
  await setRetailers(db, { retailers: [wide(80)], ...byHand });
  const picture = await storePicture(folder);
  await db
    .insertInto('uploads')
    .values({
      id: picture.uploadId,
      kind: 'tracking',
      status: 'pending',
      created_at: toIso(NOW),
      updated_at: toIso(NOW),
    })
    .execute();
  const set = { id: 'set', name: wide(100), imageUrl: picture.filePath, order: 1, enabled: true };
  await setTrackingSets(db, { config: { enabled: true, trackingSets: [set] }, ...byHand });
  await setScene(db, 'live', NOW);
  await db
    .updateTable('watches')
    .set({ shop: wide(60), title: wide(80) })
    .execute();
  await db
    .updateTable('monitor_checks')
    .set({ reason: wide(200) })
    .execute();
  await addWatch(db, SLUG, NOW, { shop: wide(60), title: wide(80), url: `https://w.example/${wide(1900)}` });
  await addAlert(db, { watchId: SLUG, openedAt: NOW - MINUTE, lastedMs: null });
  await db
    .updateTable('alert_deliveries')
    .set({ last_error: wide(300) })
    .execute();
  await db
    .insertInto('releases')
    .values({
      id: RELEASE,
      version: `1.0.0-${'w'.repeat(58)}`,
      release_notes: wide(300),
      release_notes_html: `<h3>${wide(300)}</h3><p>${wide(300)}</p><p><code>${wide(300)}</code></p>`,
      is_beta: 0,
      published: 1,
      published_at: toIso(NOW),
      created_at: toIso(NOW),
      updated_at: toIso(NOW),
    })
    .execute();
  tokens.member = await addAccount('member');
  tokens.admin = await addAccount('admin');
  web = await startWeb(environment, folder);
});

test.afterAll(async () => {
  await web.running.stop();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** The pages that scroll sideways, with the elements that make them wide. */
async function widePages(page: Page, paths: readonly string[]): Promise<string[]> {
  await page.setViewportSize({ width: WIDTH, height: 640 });
  const found: string[] = [];
  for (const path of paths) {
    const answer = await page.goto(web.url + path);
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
  admin: [`/dashboard/accounts?q=${wide(200)}`],
};

for (const role of ROLES) {
  test(`the longest names and addresses fit a screen of ${WIDTH} pixels: ${role} pages @no-scripts`, async ({
    page,
  }) => {
    if (role !== 'visitor')
      await page.context().addCookies([{ name: PLAIN_SESSION_COOKIE, value: tokens[role], url: web.url }]);
    const ids = { account: accounts.member, article: ARTICLE, release: RELEASE, watch: SLUG };
    const paths = [...pagesOf(role, ids), ...TYPED_PAGES[role]];
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

import { test as base, expect, type Browser, type BrowserContext, type Page } from 'playwright/test';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { MINUTE } from '#shared/clock';
import { startStack, type Stack } from './stack';

/** The stack that the tests of one worker share, one after the other. */
export type SharedStack = Omit<Stack, 'stop'>;

/** How many databases a Redis has by default (redis.io/docs, `databases` in redis.conf). */
const REDIS_DATABASES = 16;

/** An empty Redis database for one worker. A worker that takes over from a failed one gets another. */
async function emptyRedis(workerIndex: number): Promise<string> {
  const { REDIS_URL } = process.env;
  if (REDIS_URL === undefined)
    throw new Error('REDIS_URL is not set: run these tests with npm test, which brings a Redis of its own.');
  const url = new URL(REDIS_URL);
  // The one spelling that holds for sockets, too: search parameters are options (ioredis, `parseURL`).
  url.searchParams.set('db', String(workerIndex % REDIS_DATABASES));
  const redis = new Redis(url.href);
  await redis.flushdb();
  await redis.quit();
  return url.href;
}

declare global {
  interface Window {
    /** React has committed the page, and run its effects. */
    liveSinceReact?: boolean;
    __REACT_DEVTOOLS_GLOBAL_HOOK__?: object;
  }
}

/** Takes the place of React's developer tools, which React calls on each commit (react-dom 18, `injectIntoGlobalHook`). */
function listenToReact(): void {
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: () => undefined,
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => {
      window.liveSinceReact = true;
    },
  };
}

/** A page without scripts of its own, such as an error page, is as live as it will be. */
const isLive = () =>
  window.liveSinceReact === true || document.querySelector('script[type="module"]') === null;

/**
 * Makes `goto` and `reload` wait until the page's scripts listen: a key pressed before would mean nothing to it. A test
 * that is about the time before says what else to wait for.
 */
async function waitForScripts(page: Page): Promise<void> {
  await page.addInitScript(listenToReact);
  const { goto, reload } = page;
  page.goto = async (url, options) => {
    const answer = await goto.call(page, url, options);
    if (options?.waitUntil === undefined) await page.waitForFunction(isLive);
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload.call(page, options);
    if (options?.waitUntil === undefined) await page.waitForFunction(isLive);
    return answer;
  };
}

/** Clears what a page of `origin` has stored in the browser; cookies and cached files stay. */
async function clearStorage(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' });
  await session.detach();
}

/** The ends of two titles: a test that holds for both ways to use a page is defined with each of them. */
export const MODES = ['', ' @no-scripts'] as const;

/** The context that the tests of a worker share, one with scripts and one without. */
interface SharedContext {
  context: BrowserContext;
  /** A page of the site, open for all tests: the site's renderer process lives as long as one of its pages. */
  keeper: Page;
}

/** Opens a context for a worker. A new context takes the options of the test at hand. */
async function openShared(browser: Browser, siteUrl: string): Promise<SharedContext> {
  const context = await browser.newContext();
  const keeper = await context.newPage();
  // A page without scripts and styles.
  await keeper.goto(`${siteUrl}/robots.txt`);
  return { context, keeper };
}

/**
 * Playwright's test with our stack. The tag `@no-scripts` switches scripts off. An error or a warning on the console of
 * `page` fails the test, except what `notedFaults` matches.
 *
 * The tests of a worker share one browser context and the site's renderer process, so that the browser fetches and
 * compiles the site's files once. Each test finds the context without cookies, permissions, local storage and pages other
 * than one of robots.txt. A test with the tag `@own-context` gets a new one: for tests of loading, of touch, of crashes,
 * and with a clock of their own, which stays installed in a context.
 */
export const test = base.extend<
  { notedFaults: RegExp | null },
  { stack: SharedStack; shared: Map<boolean, SharedContext> }
>({
  stack: [
    // Playwright requires a destructured first parameter.
    async ({ browserName: _unused }, use, { workerIndex }) => {
      const stack = await startStack(await emptyRedis(workerIndex));
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 5 * MINUTE },
  ],
  // `browser` as a dependency: it closes after the context.
  shared: [
    async ({ browser: _unused }, use) => {
      const shared = new Map<boolean, SharedContext>();
      await use(shared);
      for (const { context } of shared.values()) await context.close();
    },
    { scope: 'worker' },
  ],
  // Rate limits count by address, so each test has its own.
  extraHTTPHeaders: async ({ browserName: _unused }, use) =>
    use({ 'X-Forwarded-For': `2001:db8:${randomBytes(2).toString('hex')}::1` }),
  baseURL: async ({ stack }, use) => use(stack.siteUrl),
  javaScriptEnabled: async ({ browserName: _unused }, use, { tags }) => use(!tags.includes('@no-scripts')),
  notedFaults: [null, { option: true }],
  context: async ({ browser, shared, stack, extraHTTPHeaders, javaScriptEnabled }, use, { tags }) => {
    if (tags.includes('@own-context')) {
      const context = await browser.newContext();
      await use(context);
      await context.close();
      return;
    }
    const withScripts = javaScriptEnabled !== false;
    const opened = shared.get(withScripts) ?? (await openShared(browser, stack.siteUrl));
    shared.set(withScripts, opened);
    const { context, keeper } = opened;
    await context.setExtraHTTPHeaders(extraHTTPHeaders ?? {});
    await use(context);
    const pages = context.pages().filter((page) => page !== keeper);
    await Promise.all(pages.map((page) => page.close()));
    await context.clearCookies();
    await context.clearPermissions();
    await context.setOffline(false);
  },
  // Tests that only send requests open no page.
  page: async ({ context, stack, javaScriptEnabled, notedFaults }, use) => {
    const page = await context.newPage();
    if (javaScriptEnabled !== false) {
      await clearStorage(page, stack.siteUrl);
      await waitForScripts(page);
    }
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      if (notedFaults?.test(message.text()) !== true) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await use(page);
    expect(complaints).toEqual([]);
  },
});

export { expect };

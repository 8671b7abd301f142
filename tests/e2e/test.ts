import { test as base, expect, type Page } from 'playwright/test';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { MINUTE } from '#shared/clock';
import { startStack, type Stack } from './stack';

/** The stack that the tests of one worker share, one after the other. */
export type SharedStack = Omit<Stack, 'stop'>;

/** How many databases a Redis has unless told otherwise (redis.io/docs, `databases` in redis.conf). */
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

/** React tells whoever stands where its developer tools would (react-dom 18, `injectIntoGlobalHook`). */
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

/**
 * Playwright's test with our stack. Whatever the browser complains about on `page` fails the test, except what
 * `notedFaults` names.
 */
export const test = base.extend<{ notedFaults: RegExp | null }, { stack: SharedStack }>({
  stack: [
    // Playwright insists on a destructured first parameter, needed or not.
    async ({ browserName: _unneeded }, use, { workerIndex }) => {
      const stack = await startStack(await emptyRedis(workerIndex));
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker', timeout: 5 * MINUTE },
  ],
  // Limits count by address: no test uses up another one's.
  extraHTTPHeaders: async ({ browserName: _unneeded }, use) =>
    use({ 'X-Forwarded-For': `2001:db8:${randomBytes(2).toString('hex')}::1` }),
  baseURL: async ({ stack }, use) => use(stack.siteUrl),
  notedFaults: [null, { option: true }],
  // Tests that send requests only open no page.
  page: async ({ page, javaScriptEnabled, notedFaults }, use) => {
    if (javaScriptEnabled !== false) await waitForScripts(page);
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

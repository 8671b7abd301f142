import { test as base, expect, type Page } from '@playwright/test';
import { randomBytes } from 'node:crypto';
import type { Stack } from './stack';

/** The shared stack, as far as it can be told to a test. */
export type SharedStack = Omit<Stack, 'stop'>;

function sharedStack(): SharedStack {
  const told = process.env.PACKWATCH_E2E_STACK;
  if (told === undefined) throw new Error('The stack is not there: global-setup.ts starts it.');
  return JSON.parse(told) as SharedStack;
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

/** Playwright's test with our stack; anything the browser complains about fails the test. */
export const test = base.extend<{ stack: SharedStack; quietConsole: void }>({
  // Playwright insists on a destructured first parameter, needed or not.
  stack: async ({ browserName: _unneeded }, use) => use(sharedStack()),
  // Limits count by address: no test uses up another one's.
  extraHTTPHeaders: async ({ browserName: _unneeded }, use) =>
    use({ 'X-Forwarded-For': `2001:db8:${randomBytes(2).toString('hex')}::1` }),
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) await waitForScripts(page);
    await use(page);
  },
  baseURL: async ({ stack }, use) => use(stack.siteUrl),
  quietConsole: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await use();
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

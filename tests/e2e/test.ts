import {
  test as base,
  expect,
  type Browser,
  type BrowserContext,
  type Page,
  type ViewportSize,
} from 'playwright/test';
import { randomBytes } from 'node:crypto';
import { MINUTE } from '#shared/clock';
import { emptyWorkerDatabase } from '../redis-databases';
import { startStack, type Stack } from './stack';

/** The stack that the tests of one worker share, one after the other. */
export type SharedStack = Omit<Stack, 'stop'>;

declare global {
  interface Window {
    /** Resolves once React has committed the page, and run its effects. */
    untilLive?: Promise<void>;
    __REACT_DEVTOOLS_GLOBAL_HOOK__?: object;
  }
}

/**
 * Takes the place of React's developer tools, which React calls on each commit (react-dom 18, `injectIntoGlobalHook`). A
 * page without scripts, such as an error page, is as live as it will be.
 */
function listenToReact(): void {
  window.untilLive = new Promise((resolve) => {
    window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: () => undefined,
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => {
        resolve();
      },
    };
    document.addEventListener('DOMContentLoaded', () => {
      if (!('__remixContext' in window)) resolve();
    });
  });
}

/** Waits until the page's scripts listen, also when it opens another document before that. At once without scripts. */
export async function untilLive(page: Page): Promise<void> {
  try {
    // Without polling, as `waitForFunction` does: that draws frames, and loads more of Playwright into each document.
    await page.evaluate(() => window.untilLive);
  } catch (error) {
    if (!/Execution context was destroyed/.test(String(error))) throw error;
    await page.waitForLoadState();
    await untilLive(page);
  }
}

/**
 * Makes `goto` and `reload` wait until the page's scripts listen: a key pressed before would mean nothing to it. A test
 * that is about the time before says what else to wait for.
 */
async function waitForScripts(page: Page): Promise<void> {
  await page.addInitScript(listenToReact);
  const { goto, reload } = page;
  page.goto = async (url, options) => {
    const answer = await goto.call(page, url, options);
    if (options?.waitUntil === undefined) await untilLive(page);
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload.call(page, options);
    if (options?.waitUntil === undefined) await untilLive(page);
    return answer;
  };
}

/** Opens another page in a context, whose `goto` and `reload` wait for the page's scripts as well. The test closes it. */
export async function openLivePage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await waitForScripts(page);
  return page;
}

/** The ends of two titles: a test that holds for both ways to use a page is defined with each of them. */
export const MODES = ['', ' @no-scripts'] as const;

/** A page of a test, and what its console has complained of since the test began. */
interface TestPage {
  page: Page;
  complaints: { from: 'console' | 'page'; text: string }[];
  /** What stays with a page: a test that has called one of `LASTING` leaves a page that no other test can take over. */
  isChanged: boolean;
}

const LASTING = ['addInitScript', 'exposeBinding', 'exposeFunction', 'on', 'once', 'route'] as const;

/** Calls `note` before each call of a method. */
function noteCalls<Name extends string>(
  target: Record<Name, (...args: never[]) => unknown>,
  names: readonly Name[],
  note: () => void,
): void {
  for (const name of names) {
    const method = target[name];
    target[name] = (...args) => {
      note();
      return method.apply(target, args);
    };
  }
}

async function openPage(context: BrowserContext, withScripts: boolean): Promise<TestPage> {
  const page = await (withScripts ? openLivePage(context) : context.newPage());
  const opened: TestPage = { page, complaints: [], isChanged: false };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      opened.complaints.push({ from: 'console', text: message.text() });
  });
  page.on('pageerror', (error) => opened.complaints.push({ from: 'page', text: error.message }));
  noteCalls(page, LASTING, () => (opened.isChanged = true));
  return opened;
}

/** The context that the tests of a worker share, one with scripts and one without, and the page that they hand on. */
interface SharedContext {
  context: BrowserContext;
  /** A page that no test uses. While it is open, the renderer process does not end with the page of a test. */
  anchor: Page;
  opened: TestPage | null;
}

/** A page of the site without scripts and styles, where a page waits for the next test. */
const RESTING_PLACE = '/robots.txt';

/** Frames of animations and of smooth scrolling take processor time: a test of them asks for motion with `emulateMedia`. */
const REDUCED_MOTION = { reducedMotion: 'reduce' } as const;

async function openShared(browser: Browser): Promise<SharedContext> {
  const context = await browser.newContext(REDUCED_MOTION);
  const anchor = await context.newPage();
  await anchor.goto(RESTING_PLACE);
  const shared: SharedContext = { context, anchor, opened: null };
  noteCalls(context, ['newCDPSession'], () => {
    if (shared.opened !== null) shared.opened.isChanged = true;
  });
  return shared;
}

/** Takes over the page of the test before, or opens one: a test with another viewport may have opened the context. */
async function takePage(
  shared: SharedContext,
  withScripts: boolean,
  viewport: ViewportSize | null,
): Promise<TestPage> {
  if (shared.opened === null) {
    shared.opened = await openPage(shared.context, withScripts);
    if (viewport !== null) await shared.opened.page.setViewportSize(viewport);
    await shared.opened.page.goto(RESTING_PLACE);
  }
  const { opened } = shared;
  opened.complaints.length = 0;
  if (withScripts)
    await opened.page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  return opened;
}

/** Makes a page as it was before the test. Returns null when it cannot be handed on. */
async function handOn(opened: TestPage, viewport: ViewportSize | null): Promise<TestPage | null> {
  const { page, isChanged } = opened;
  if (isChanged || page.isClosed()) return null;
  try {
    await page.goto(RESTING_PLACE);
  } catch {
    // The test has left the browser offline, or the site stopped.
    return null;
  }
  await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, ...REDUCED_MOTION });
  if (viewport !== null) await page.setViewportSize(viewport);
  await page.mouse.move(0, 0);
  return opened;
}

/**
 * Playwright's test with our stack. The tag `@no-scripts` switches scripts off. An error or a warning on the console of
 * `page` fails the test, except what `notedFaults` matches.
 *
 * The tests of a worker share a browser context and its page, so that the browser keeps the site's files in memory, compiled
 * (a new page loads them again: twice the processor time of a page's load). Each test finds the context without cookies,
 * permissions and local storage, and the page as a new one, apart from its history. A test with the tag `@own-context`
 * gets a new context: for tests of loading, of touch, of crashes, and with their own clock, which stays installed in
 * a context.
 */
export const test = base.extend<
  { notedFaults: RegExp | null },
  { stack: SharedStack; shared: Map<boolean, SharedContext> }
>({
  stack: [
    // Playwright requires a destructured first parameter.
    async ({ browserName: _unused }, use, { workerIndex }) => {
      const stack = await startStack(await emptyWorkerDatabase(workerIndex));
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
  context: async ({ browser, shared, extraHTTPHeaders, javaScriptEnabled }, use, { tags }) => {
    if (tags.includes('@own-context')) {
      const context = await browser.newContext();
      await use(context);
      await context.close();
      return;
    }
    const withScripts = javaScriptEnabled !== false;
    const sharedContext = shared.get(withScripts) ?? (await openShared(browser));
    shared.set(withScripts, sharedContext);
    const { context, anchor } = sharedContext;
    await context.setExtraHTTPHeaders(extraHTTPHeaders ?? {});
    await use(context);
    const pages = context.pages().filter((page) => page !== anchor && page !== sharedContext.opened?.page);
    await Promise.all(pages.map((page) => page.close()));
    await context.clearCookies();
    await context.clearPermissions();
    await context.setOffline(false);
  },
  // Tests that only send requests open no page.
  page: async ({ context, shared, javaScriptEnabled, notedFaults, viewport }, use) => {
    const withScripts = javaScriptEnabled !== false;
    const sharedContext = [...shared.values()].find((candidate) => candidate.context === context);
    const opened =
      sharedContext === undefined
        ? await openPage(context, withScripts)
        : await takePage(sharedContext, withScripts, viewport ?? null);
    await use(opened.page);
    const complaints = opened.complaints.filter(
      ({ from, text }) => from === 'page' || notedFaults?.test(text) !== true,
    );
    if (sharedContext !== undefined) sharedContext.opened = await handOn(opened, viewport ?? null);
    expect(complaints.map(({ text }) => text)).toEqual([]);
  },
});

export { expect };

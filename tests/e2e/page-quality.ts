import axe, { type RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright/test';
import { expect } from './test';

declare global {
  interface Window {
    visibleBefore?: WeakSet<Element>;
  }
}

/** A move of the layout; `startTime` in milliseconds since the page was opened. */
interface NotedShift {
  startTime: number;
  text: string;
}

/** `parsed`: when the parser ended, and when the first frame after it was drawn. */
type WatchedWindow = Window & { layoutShifts?: NotedShift[]; parsed?: { end: number; shownAt: number } };

/** web.dev/articles/cls, "Measure CLS in JavaScript"; not among TypeScript's own types. */
type LayoutShift = PerformanceEntry & {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};

const NARROW = { width: 360, height: 800 };
const WIDE = { width: 1280, height: 800 };

/** The rules whose outcome depends on colours. A theme changes nothing else, so the others run in one theme. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Checks the page as it is, at both widths and in both themes, for accessibility faults and for parts that are wider
 * than the screen. The colours of the wide page are checked where it shows what the narrow one does not.
 *
 * `part` is for a page that was checked before something was added to it, such as a dialog: what is new.
 */
export async function expectNoFaults(page: Page, part = page.locator('html')): Promise<void> {
  const expectNone = async (where: string, limits?: Limits) =>
    expect(await accessibilityFaults(part, limits), `${page.url()}, ${where}`).toEqual([]);
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectNone('narrow, light');
  await expectNothingWider(page, NARROW.width);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNone('narrow, dark', { rules: COLOUR_RULES });
  await noteVisible(page);
  await page.setViewportSize(WIDE);
  await expectNone('wide, dark', { rules: COLOUR_RULES, onlyNew: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNone('wide, light', { rules: COLOUR_RULES, onlyNew: true });
  await expectNone('wide, light', { without: COLOUR_RULES });
  await expectNothingWider(page, WIDE.width);
}

/** Notes which elements are visible now. */
function noteVisible(page: Page): Promise<void> {
  return page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')];
    window.visibleBefore = new WeakSet(elements.filter((element) => element.checkVisibility()));
  });
}

interface Limits {
  /** All rules by default. */
  rules?: readonly string[];
  without?: readonly string[];
  /** Checks the visible elements that `noteVisible` did not find. */
  onlyNew?: boolean;
}

/**
 * The rules of axe-core that a part of a page breaks, and where. axe runs inside the page and is loaded once per document:
 * @axe-core/playwright loads it each time, and opens a second page for the report.
 */
export async function accessibilityFaults(
  part: Locator,
  { rules, without = [], onlyNew = false }: Limits = {},
): Promise<{ rule: string; nodes: string[] }[]> {
  const page = part.page();
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    resultTypes: ['violations'],
    // The card form is a frame of another origin, which runs no axe: axe would post to it with our origin, which fails.
    iframes: false,
    // No rule that runs needs the style sheets, which axe would request and parse each time.
    preload: { assets: ['media'] },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    ...(rules !== undefined && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  return part.evaluate(
    async (root, { onlyNew, options }) => {
      const isNew = (element: Element) =>
        element.checkVisibility() && window.visibleBefore?.has(element) === false;
      // axe checks what is inside, too.
      const roots = onlyNew
        ? [...root.querySelectorAll('*')].filter(
            (element) => isNew(element) && (element.parentElement === null || !isNew(element.parentElement)),
          )
        : [root];
      if (roots.length === 0) return [];
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        { include: roots },
        options,
      );
      return violations.map(({ id, nodes }) => ({
        rule: id,
        nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
      }));
    },
    { onlyNew, options },
  );
}

/** Measures the page's parts: what scrolls inside itself is not one of them. */
export async function expectNothingWider(page: Page, width: number): Promise<void> {
  const right = await page
    .locator('html, header, header nav > *, main, main > *, footer')
    .evaluateAll((parts) => Math.max(...parts.map((part) => part.getBoundingClientRect().right)));
  expect(right, `${page.url()} at ${width}`).toBeLessThanOrEqual(width);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}

/**
 * Starts noting the moves of the layout of the pages that are opened from now on. A busy browser paints a page before it
 * has parsed all of it, and then moves what stands at the right of a row. Moves up to the first frame after the end of such
 * a page are its parser's, and are left out; where nothing was painted before, every move counts.
 */
export async function watchLayout(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = window as WatchedWindow;
    const shifts: NotedShift[] = [];
    watched.layoutShifts = shifts;
    const describe = ({ x, y, width, height }: DOMRectReadOnly) => `${width}x${height} at ${x},${y}`;
    new PerformanceObserver((list) => {
      for (const { value, startTime, sources } of list.getEntries() as LayoutShift[]) {
        const moves = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.textContent} (${describe(previousRect)} to ${describe(currentRect)})`,
        );
        shifts.push({ startTime, text: `${value} after ${startTime} ms: ${moves.join(' | ')}` });
      }
    }).observe({ type: 'layout-shift', buffered: true });
    const onParsed = () => {
      const end = performance.now();
      requestAnimationFrame(() => setTimeout(() => (watched.parsed = { end, shownAt: performance.now() })));
    };
    // The first change is to `interactive`: the parser has ended.
    document.addEventListener('readystatechange', onParsed, { once: true });
  });
}

/** Waits until a frame has shown the page as it is now: moves are noted with it. */
export function afterFrame(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
      ),
  );
}

/** What has moved since the page was opened. */
export function layoutShifts(page: Page): Promise<string[] | undefined> {
  return page.evaluate(() => {
    const { layoutShifts, parsed } = window as WatchedWindow;
    const [firstPaint] = performance.getEntriesByName('first-paint');
    const isPaintedEarly =
      firstPaint !== undefined && parsed !== undefined && firstPaint.startTime < parsed.end;
    const from = isPaintedEarly ? parsed.shownAt : 0;
    return layoutShifts?.filter(({ startTime }) => startTime > from).map(({ text }) => text);
  });
}

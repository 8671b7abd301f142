import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';
import { expect } from './test';

/** A page that notes down every move of its layout, and what moved. */
type WatchedWindow = Window & { layoutShifts?: string[] };

/** web.dev/articles/cls, "Measure CLS in JavaScript"; not among TypeScript's own types. */
type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

const WIDTHS = [360, 1280] as const;
const THEMES = ['light', 'dark'] as const;

/** The rules whose outcome depends on colours. A theme changes nothing else, so the others run in one theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Checks the page as it is, at both widths and in both themes, for accessibility faults and for parts that are wider
 * than the screen.
 */
export async function expectNoFaults(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const rules = colorScheme === 'light' ? undefined : COLOUR_RULES;
      expect(
        await accessibilityFaults(page, { rules }),
        `${page.url()} at ${width} in ${colorScheme}`,
      ).toEqual([]);
    }
    await expectNothingWider(page, width);
  }
}

/**
 * The rules of axe-core that the page breaks, and where. axe runs inside the page and is loaded once per document:
 * @axe-core/playwright loads it each time, and opens a second page for the report.
 */
export async function accessibilityFaults(
  page: Page,
  { within, rules }: { within?: string; rules?: readonly string[] | undefined } = {},
): Promise<{ rule: string; nodes: string[] }[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    resultTypes: ['violations'],
    // The card form is a frame of another origin, which runs no axe: axe would post to it with our origin, which fails.
    iframes: false,
    ...(rules !== undefined && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  return page.evaluate(
    async ({ context, options }) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(context, options);
      return violations.map(({ id, nodes }) => ({
        rule: id,
        nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
      }));
    },
    { context: within ?? 'html', options },
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

/** Starts noting the moves of the layout of the pages that are opened from now on. */
export async function watchLayout(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    (window as WatchedWindow).layoutShifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        shifts.push(`${entry.value}: ${entry.sources.map(({ node }) => node?.textContent).join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved since the page was opened. */
export function layoutShifts(page: Page): Promise<string[] | undefined> {
  return page.evaluate(() => (window as WatchedWindow).layoutShifts);
}

import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect } from './test';

/** A page that notes down every move of its layout, and what moved. */
type WatchedWindow = Window & { layoutShifts?: string[] };

/** web.dev/articles/cls, "Measure CLS in JavaScript"; not among TypeScript's own types. */
type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

/** Both widths in both themes. */
const EVERY_FACE = [
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;

/** Looks for accessibility faults, and parts wider than the screen, in the page as it stands, with every face. */
export async function expectNoFaults(page: Page): Promise<void> {
  for (const { width, colorScheme } of EVERY_FACE) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations, `${page.url()} at ${width} in ${colorScheme}`).toEqual([]);
    await expectNothingWider(page, width);
  }
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

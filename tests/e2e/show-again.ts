import type { Page } from 'playwright/test';

/** Shows the page again, as the back/forward cache does (`persisted`), or as another load of it does. */
export function showAgain(page: Page, persisted = true): Promise<void> {
  return page.evaluate((fromCache) => {
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: fromCache }));
  }, persisted);
}

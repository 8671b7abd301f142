import type { Page } from 'playwright/test';

/**
 * Holds back the requests of a page that match an address. `asked` resolves with the first of them; `go` lets them and all
 * later ones through. A page that leaves after a time stays visible while the request of the next page is held back.
 */
export async function holdBack(
  page: Page,
  address: string | RegExp,
): Promise<{ asked: Promise<void>; go(): void }> {
  let go = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  let note = () => {};
  const asked = new Promise<void>((resolve) => (note = resolve));
  await page.route(address, async (route) => {
    note();
    await gate;
    await route.continue();
  });
  return { asked, go: () => go() };
}

/** As `holdBack`, but the server receives the request: its answer is held back. `answered` resolves when it has come. */
export async function holdBackAnswer(
  page: Page,
  address: string | RegExp,
): Promise<{ answered: Promise<void>; go(): void }> {
  let go = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  let note = () => {};
  const answered = new Promise<void>((resolve) => (note = resolve));
  await page.route(address, async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    note();
    await gate;
    await route.fulfill({ response });
  });
  return { answered, go: () => go() };
}

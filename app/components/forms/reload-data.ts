let scheduled = false;

/**
 * Revalidates the page's data; during a navigation or revalidation, once after it ends, because aborting it would log an
 * error. Uses the router's own state (`__remixRouter`, @remix-run/react 2.17, browser.js): the hooks' state may be older.
 */
export function reloadData(): void {
  if (scheduled) return;
  scheduled = true;
  whenIdle(() => {
    scheduled = false;
    window.__remixRouter.revalidate();
  });
}

/**
 * Revalidates the data of a page that the browser shows again from its back/forward cache. A navigation that led to another
 * document never ends, so a new one to the same page replaces it.
 */
export function reloadShownPage(): void {
  const { state } = window.__remixRouter;
  if (state.navigation.state === 'idle') reloadData();
  else void window.__remixRouter.navigate(state.location, { replace: true, preventScrollReset: true });
}

function whenIdle(run: () => void): void {
  const router = window.__remixRouter;
  const idle = () => router.state.navigation.state === 'idle' && router.state.revalidation === 'idle';
  if (idle()) return run();
  const unsubscribe = router.subscribe(() => {
    if (!idle()) return;
    unsubscribe();
    // After the other subscribers.
    queueMicrotask(() => whenIdle(run));
  });
}

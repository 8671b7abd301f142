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

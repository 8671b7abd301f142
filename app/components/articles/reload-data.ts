let asked = false;

/**
 * Loads the page's data anew; while data are on their way, once more afterwards, however often it is asked. To break the
 * load off would cost a request, and Remix notes each as an error. Asks the router itself (Remix keeps it in
 * `__remixRouter`, @remix-run/react 2.17, browser.js), since what React was told of it may be older.
 */
export function reloadData(): void {
  if (asked) return;
  asked = true;
  whenIdle(() => {
    asked = false;
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
    // Other subscribers hear of this state first.
    queueMicrotask(() => whenIdle(run));
  });
}

import { useBlocker } from '@remix-run/react';
import { useEffect } from 'react';

/** Asks before the page is left while `active`: the browser for other sites and reloads, the result for our pages. */
export function useLeaveWarning(active: boolean): { stay(): void; leave(): void } | null {
  useEffect(() => {
    if (!active) return;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [active]);
  // Saving and revalidating do not change the path.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && nextLocation.pathname !== currentLocation.pathname,
  );
  return blocker.state === 'blocked' ? { stay: blocker.reset, leave: blocker.proceed } : null;
}

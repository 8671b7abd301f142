import { useBlocker } from '@remix-run/react';
import { useEffect } from 'react';

/**
 * Asks before the page is left while `active`: the browser asks for other sites and for a reload, the result for the other
 * pages of this site. Null: nothing to ask.
 */
export function useLeaveWarning(active: boolean): { stay(): void; leave(): void } | null {
  useEffect(() => {
    if (!active) return;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [active]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && nextLocation.pathname !== currentLocation.pathname,
  );
  return blocker.state === 'blocked' ? { stay: blocker.reset, leave: blocker.proceed } : null;
}

import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';

const REFRESH_MS = 30_000;

/** Loads the page's data again every 30 s while somebody can see it, and at once when they come back to it. */
export function useLiveRefresh(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') revalidate();
    };
    const timer = setInterval(refresh, REFRESH_MS);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [revalidate]);
}

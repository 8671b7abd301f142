import { useEffect } from 'react';

/** Opens another page of the site after a while, in place of this one. */
export function useLeaveAfter(path: string, delayMs: number): void {
  useEffect(() => {
    const timer = setTimeout(() => window.location.replace(path), delayMs);
    return () => clearTimeout(timer);
  }, [path, delayMs]);
}

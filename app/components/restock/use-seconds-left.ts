import { useEffect, useState } from 'react';
import { SECOND } from '#shared/clock';

/**
 * Whole seconds left of `total`, counted from when the page came to life; stops at 0, and stands still without
 * scripts. Told by the time that has passed, not by the ticks: a hidden tab gets few of those.
 */
export function useSecondsLeft(total: number): number {
  const [left, setLeft] = useState(total);
  useEffect(() => {
    const endsAt = performance.now() + total * SECOND;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => {
      clearTimeout(timer);
      const leftMs = Math.max(0, endsAt - performance.now());
      setLeft(Math.ceil(leftMs / SECOND));
      if (leftMs > 0) timer = setTimeout(tick, leftMs % SECOND || SECOND);
    };
    tick();
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [total]);
  return left;
}

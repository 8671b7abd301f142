import { useEffect, useState } from 'react';

/** Whether `active` has been true for `ms` milliseconds without a break; false again at once when it ends. */
export function useDelayed(active: boolean, ms: number): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setDue(true), ms);
    return () => {
      clearTimeout(timer);
      setDue(false);
    };
  }, [active, ms]);
  return active && due;
}

import { useRevalidator } from '@remix-run/react';
import { useCallback, useEffect, useRef } from 'react';

/**
 * Loads the page's data anew. Asked while that is under way it does so once more afterwards: Remix would break the first
 * load off, and the browser then notes an error that nobody caught.
 */
export function useReload(): () => void {
  const { revalidate, state } = useRevalidator();
  const current = useRef({ state, again: false });
  useEffect(() => {
    const { again } = current.current;
    current.current = { state, again: again && state !== 'idle' };
    if (again && state === 'idle') revalidate();
  }, [state, revalidate]);
  return useCallback(() => {
    if (current.current.state === 'idle') revalidate();
    else current.current.again = true;
  }, [revalidate]);
}

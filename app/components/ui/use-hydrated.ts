import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** Returns false on the server and until hydration, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

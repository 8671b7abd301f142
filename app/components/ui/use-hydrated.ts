import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** Whether scripts run here: false on the server and until the page is live, then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

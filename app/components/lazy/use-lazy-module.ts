import { useEffect, useState } from 'react';
import { reloadOnce } from './reload-once';

/**
 * A module that is loaded with the component. Undefined while it loads or the page reloads, null when it cannot be
 * loaded. `part` names it; `load` must be the same function in each render. For parts of pages where nothing can have
 * been typed, because the page reloads once.
 */
export function useLazyModule<Module>(part: string, load: () => Promise<Module>): Module | null | undefined {
  const [loaded, setLoaded] = useState<Module | null>();
  useEffect(() => {
    let unmounted = false;
    load().then(
      (module) => {
        if (!unmounted) setLoaded(() => module);
      },
      () => {
        if (!unmounted && !reloadOnce(part)) setLoaded(null);
      },
    );
    return () => {
      unmounted = true;
    };
  }, [part, load]);
  return loaded;
}

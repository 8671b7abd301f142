import { useEffect, useState, type ReactNode } from 'react';
import { useFetchers, useLocation, useNavigation } from '@remix-run/react';
import { Spinner } from '~/components/ui/icons';

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

/** A wait that is shorter shows nothing: it would only flicker. */
const SHOWN_AFTER_MS = 150;
/** From its beginning, a wait for the dashboard has the spinner for at most this long (the specification's 800 ms). */
const SPINNER_ENDS_MS = 800;

const isDashboard = (pathname: string) => /^\/dashboard(\/|$)/.test(pathname);

/** Whether a page is being loaded or a form is under way. */
function useWaiting(): boolean {
  const navigating = useNavigation().state !== 'idle';
  const sending = useFetchers().some(({ state, formMethod }) => state !== 'idle' && formMethod !== undefined);
  return navigating || sending;
}

/** Whether the page that is being loaded is the dashboard, asked for from outside it. */
function useEnteringDashboard(): boolean {
  const { pathname } = useLocation();
  const target = useNavigation().location?.pathname;
  return target !== undefined && isDashboard(target) && !isDashboard(pathname);
}

/**
 * What shows that the page waits, with scripts: `aria-busy` on the page and a thin bar at its top, and on the way to the
 * dashboard a spinner. Without scripts the browser shows it by itself.
 */
export function Waiting({ children }: { children: ReactNode }) {
  const waiting = useDelayed(useWaiting(), SHOWN_AFTER_MS);
  const entering = useEnteringDashboard();
  const spinnerOver = useDelayed(entering, SPINNER_ENDS_MS);
  return (
    <>
      <div aria-busy={waiting || undefined} className="flex min-h-dvh flex-col">
        {children}
      </div>
      <div aria-live="polite">
        {waiting ? <div role="progressbar" aria-label="Loading" className="waiting-bar" /> : null}
        {waiting && entering && !spinnerOver ? (
          <div className="pointer-events-none fixed inset-0 z-30 grid place-items-center">
            <p className="flex items-center gap-3 rounded-full border border-line bg-surface px-5 py-3 font-semibold shadow-card">
              <Spinner />
              Loading your dashboard
            </p>
          </div>
        ) : null}
      </div>
    </>
  );
}

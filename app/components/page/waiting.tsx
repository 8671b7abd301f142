import { useEffect, useState, type ReactNode } from 'react';
import { useFetchers, useLocation, useNavigation } from '@remix-run/react';
import { useAbandoned } from '~/components/forms/use-leaving';
import { Spinner } from '~/components/ui/icons';

/** Returns true once `active` has stayed true for `ms` milliseconds, and false as soon as it is false. */
function useDelayed(active: boolean, ms: number): boolean {
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

/** A shorter wait shows nothing, to avoid a flicker. */
const SHOWN_AFTER_MS = 150;
/** The dashboard's spinner ends this long after the navigation started (specification: 800 ms). */
const SPINNER_ENDS_MS = 800;

const isDashboard = (pathname: string) => /^\/dashboard(\/|$)/.test(pathname);

/** Whether a page is loading or a form is being submitted. */
function useLoading(): boolean {
  const navigating = useNavigation().state !== 'idle';
  const fetchers = useFetchers();
  const isAbandoned = useAbandoned(fetchers);
  const isSending = fetchers.some(
    (fetcher) => fetcher.state !== 'idle' && fetcher.formData !== undefined && !isAbandoned(fetcher),
  );
  return navigating || isSending;
}

const SUBSCRIPTION = '/dashboard/subscription';

/** The text of the spinner on the way to the dashboard or to the subscription page; null on every other way. */
function useSpinnerText(): string | null {
  const { pathname } = useLocation();
  const target = useNavigation().location?.pathname;
  if (target === undefined) return null;
  if (target === SUBSCRIPTION) return pathname === SUBSCRIPTION ? null : 'Loading subscription details...';
  return isDashboard(target) && !isDashboard(pathname) ? 'Loading your dashboard' : null;
}

/**
 * Shows that the page is loading: `aria-busy`, a thin bar at the top and, on the way to the dashboard or the subscription
 * page, a spinner. Without scripts the browser shows its own indicator.
 */
export function LoadingIndicator({ children }: { children: ReactNode }) {
  const loading = useDelayed(useLoading(), SHOWN_AFTER_MS);
  const spinnerText = useSpinnerText();
  const spinnerOver = useDelayed(spinnerText !== null, SPINNER_ENDS_MS);
  return (
    <>
      <div aria-busy={loading || undefined} className="flex min-h-dvh flex-col">
        {children}
      </div>
      <div aria-live="polite">
        {loading ? <div role="progressbar" aria-label="Loading" className="waiting-bar" /> : null}
        {loading && spinnerText !== null && !spinnerOver ? (
          <div className="pointer-events-none fixed inset-0 z-30 grid place-items-center">
            <p className="flex items-center gap-3 rounded-full border border-line bg-surface px-5 py-3 font-semibold shadow-card">
              <Spinner />
              {spinnerText}
            </p>
          </div>
        ) : null}
      </div>
    </>
  );
}

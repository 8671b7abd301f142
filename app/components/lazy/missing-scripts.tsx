import { useLocation } from '@remix-run/react';

/**
 * The text of a script before the page's own. When one of these does not load, it marks the page: everything that is for
 * browsers without scripts is shown then (`noscript:` in class names). Ends when Remix has started.
 */
export const NOTE_MISSING_SCRIPTS =
  "addEventListener('error',({target})=>{if(!window.__remixRouter&&target instanceof Element&&target.matches('script,link[rel=modulepreload]'))document.documentElement.dataset.scripts='missing'},true)";

/** Says that the scripts of the page did not load. Part of every page, and hidden until `NOTE_MISSING_SCRIPTS` has run. */
export function MissingScriptsNotice() {
  const { pathname, search } = useLocation();
  return (
    <p className="wrap hidden py-3 text-small missing-scripts:block">
      Parts of this page did not load. You can use it as it is, but it does not refresh automatically.{' '}
      <a href={pathname + search} className="font-semibold underline underline-offset-4">
        Try again
      </a>
    </p>
  );
}

/** Removes the mark: the scripts run, although a preload of one failed. */
export function clearMissingScripts(): void {
  delete document.documentElement.dataset.scripts;
}

import { useLocation } from '@remix-run/react';

/** The notice that scripts did not load: part of every page, hidden until `startScriptOf` marks the page. */
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

import { useLocation } from '@remix-run/react';
import { buttonClass } from '~/components/ui/button';
import { PageNav } from './page-nav';

/** In place of a part of a page whose script did not load, also after its address was opened as a document. */
export function MissingPart() {
  const { pathname, search } = useLocation();
  return (
    <>
      <h1 className="text-heading">This page did not load</h1>
      <p className="mt-5 max-w-[38em] text-lead text-soft">
        A part of it could not be loaded. Check your connection and try again in a moment.
      </p>
      <p className="mt-8">
        {/* A new document names the script files of the newest release. */}
        <a href={pathname + search} className={buttonClass('primary')}>
          Try again
        </a>
      </p>
    </>
  );
}

/** In place of a whole page. */
export function MissingPage() {
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-20 outline-none">
        <MissingPart />
      </main>
    </>
  );
}

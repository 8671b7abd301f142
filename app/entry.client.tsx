import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { guardRouteModules } from '~/components/lazy/guard-route-modules';
import { loadShownParts } from '~/components/lazy/page-part';
import { MissingPage, MissingPart } from '~/components/page/missing-page';

/**
 * Decodes the page's data before React starts. The first call of RemixBrowser throws a promise, before any hook, while
 * it decodes the data. Inside React this promise suspends the root, and a key press during that time makes React 18 fail
 * with error 345, "Root did not complete".
 */
async function decodePageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (thrown) {
    if (thrown instanceof Promise) await thrown;
  }
}

/**
 * A newer navigation aborts the data request of the previous one. Remix does not handle the rejection of every promise
 * of that request (@remix-run/react 2.17, single-fetch.js), so the browser would report each as an uncaught error.
 */
function ignoreAbortedRequest(event: PromiseRejectionEvent): void {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
}

window.addEventListener('unhandledrejection', ignoreAbortedRequest);

/** RemixBrowser has created its router when this runs. */
function Browser() {
  useEffect(() => guardRouteModules(MissingPage, MissingPart), []);
  return <RemixBrowser />;
}

async function hydrate(): Promise<void> {
  await Promise.all([decodePageData(), loadShownParts()]);
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <Browser />
      </StrictMode>,
    );
  });
}

hydrate().catch((error: unknown) => {
  document.documentElement.dataset.scripts = 'missing';
  // The browser itself notes a file that did not load.
  if (!/imported module|module script/.test(String(error))) console.error(error);
});

import { RemixBrowser } from '@remix-run/react';
import { startTransition, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';

/**
 * Lets Remix decode the page's state before React begins. Remix does it when RemixBrowser is first called, by throwing
 * a promise ahead of any hook. Thrown inside React, that promise suspends the whole root, and a key pressed meanwhile
 * makes React 18 fail with its error 345, "Root did not complete".
 */
async function stateDecoded(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (thrown) {
    if (thrown instanceof Promise) await thrown;
  }
}

/**
 * Data that a newer navigation or reload broke off: Remix catches the abort, but not in every promise that it made of it
 * (@remix-run/react 2.17, single-fetch.js), and the browser would report each as a fault of the page.
 */
function forgetBrokenOff(event: PromiseRejectionEvent): void {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault();
}

window.addEventListener('unhandledrejection', forgetBrokenOff);

void stateDecoded().then(() => {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
});

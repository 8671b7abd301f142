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

import { useCallback, useEffect, useRef, useState } from 'react';
import type * as PasskeyBrowserModule from './passkey-browser';

type PasskeyBrowser = typeof PasskeyBrowserModule;

/**
 * Requests of a page to the browser's authenticators (WebAuthn calls one a ceremony). The first one loads their scripts.
 * `asking`: the browser shows its window. `failure`: the sentence of the last failed request.
 */
export function useCeremony() {
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const scripts = useRef<PasskeyBrowser | null>(null);
  const answered = useRef<string | null>(null);

  /** The browser's answer as JSON; null after a failure. `quiet`: a failure is not shown. */
  const run = useCallback(
    async (request: (browser: PasskeyBrowser) => Promise<string | null>, { quiet = false } = {}) => {
      if (!quiet) setAsking(true);
      try {
        scripts.current = await import('./passkey-browser');
        answered.current = await request(scripts.current);
        return answered.current;
      } catch (error) {
        const isKnown = scripts.current !== null && error instanceof scripts.current.PasskeyFailure;
        if (!quiet) setFailure(isKnown ? error.message : 'This did not work. Please try again.');
        return null;
      } finally {
        if (!quiet) setAsking(false);
      }
    },
    [],
  );

  /** Tells the password manager that the site does not know the last passkey used. */
  const forget = useCallback((rpId: string | undefined) => {
    if (rpId === undefined || answered.current === null) return;
    const { id: credentialId } = JSON.parse(answered.current) as { id: string };
    void scripts.current?.forgetPasskey({ rpId, credentialId });
  }, []);

  useEffect(() => () => scripts.current?.endRequest(), []);

  return { asking, failure, reset: useCallback(() => setFailure(null), []), run, forget };
}

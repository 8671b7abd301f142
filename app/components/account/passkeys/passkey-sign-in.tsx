import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useCallback, useEffect, useRef } from 'react';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { KeepTokenField } from '../login-forms';
import { useCeremony } from './use-ceremony';

/** The part of a challenge's lifetime after which the browser gets another one for its list. */
const RENEWAL = 0.8;

/** Calls `work` after `ms`, or later, when the visitor sees the page again. Returns a function that ends the wait. */
function whenSeenAfter(ms: number, work: () => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const timer = setTimeout(() => {
    if (!document.hidden) work();
    else document.addEventListener('visibilitychange', work, { once: true, signal });
  }, ms);
  signal.addEventListener('abort', () => clearTimeout(timer));
  return () => ended.abort();
}

/** Whether the browser lists passkeys at a field. */
async function listsPasskeys(): Promise<boolean> {
  const { PublicKeyCredential: api } = window as Partial<Pick<typeof window, 'PublicKeyCredential'>>;
  return (await api?.isConditionalMediationAvailable?.()) === true;
}

type Options = PublicKeyCredentialRequestOptionsJSON;

/** Passkey sign-in: with the button of `PasskeySignIn`, and after `offer` in the browser's list at the email field. */
export function usePasskeySignIn() {
  const forms = useForms<Options>(['passkeyStart', 'passkey']);
  const { latest, submit: send } = forms;
  // The results of the list at the field are not shown.
  const { latest: offered, submit: sendOffer } = useForms<Options>(['passkeyStart']);
  const ceremony = useCeremony();
  const { run, forget } = ceremony;
  const isOffered = useRef(false);
  /** While the browser shows its window, which a request for the list would close. */
  const isAsking = useRef(false);

  const offer = useCallback(() => {
    isOffered.current = true;
    void listsPasskeys().then((lists) => {
      if (lists) sendOffer({ intent: 'passkeyStart', scripts: 'on' }, { method: 'post' });
    });
  }, [sendOffer]);

  /** The list ended when the button was pressed, or its challenge was used. */
  const offerAgain = useCallback(() => {
    if (isOffered.current) offer();
  }, [offer]);

  const signIn = useCallback(
    async (options: Options, inFields: boolean) => {
      if (!inFields) isAsking.current = true;
      const response = await run((browser) => browser.requestPasskey(options, { inFields }), {
        quiet: inFields,
      });
      if (!inFields) isAsking.current = false;
      if (response !== null) send({ intent: 'passkey', response }, { method: 'post' });
      else if (!inFields) offerAgain();
    },
    [run, send, offerAgain],
  );

  const rpId = useRef<string | undefined>(undefined);
  const handled = useRef<unknown>(null);
  useEffect(() => {
    if (latest === null || latest === handled.current) return;
    handled.current = latest;
    if (latest.intent === 'passkeyStart' && latest.details !== undefined) {
      rpId.current = latest.details.rpId;
      void signIn(latest.details, false);
    } else if (latest.intent === 'passkey' && !latest.ok) {
      if (latest.code === 'passkey_unknown') forget(rpId.current);
      offerAgain();
    }
  }, [latest, signIn, forget, offerAgain]);

  useEffect(() => {
    if (offered?.details === undefined || isAsking.current) return;
    const { details } = offered;
    rpId.current = details.rpId;
    void signIn(details, true);
    return whenSeenAfter(RENEWAL * (details.timeout ?? 0), offer);
  }, [offered, signIn, offer]);

  return { forms, ceremony, offer };
}

/** The button that signs in with a passkey. */
export function PasskeySignIn({ passkeys }: { passkeys: ReturnType<typeof usePasskeySignIn> }) {
  const {
    forms: { Form, result, pendingIntent },
    ceremony: { asking, failure, reset },
  } = passkeys;
  const pending = asking || pendingIntent !== null;
  return (
    <div className="grid gap-3">
      {failure === null ? <FormNotice result={result} /> : <Notice kind="error">{failure}</Notice>}
      <Form method="post" onSubmit={reset} className="grid noscript:hidden">
        <KeepTokenField />
        <Button name="intent" value="passkeyStart" wide pending={pending}>
          Sign in with a passkey
        </Button>
      </Form>
      <p className="hidden text-small text-soft noscript:block">
        Signing in with a passkey needs JavaScript. Without it, use Discord, or your email address and
        password.
      </p>
    </div>
  );
}

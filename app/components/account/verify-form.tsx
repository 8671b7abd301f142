import { Link, useLocation } from '@remix-run/react';
import { useEffect, useState } from 'react';
import type { FormResult } from '#shared/site/form-result';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { useOtherPage } from '~/components/lazy/preload-page';
import { CodeField } from './code-field';
import { KeepTokenField } from './login-forms';

const NOTICE_MS = 5_000;
const ACTION = '/login?step=verify';
const ERROR_ID = 'verify-outcome';

/** Whether to show a result: with scripts, a success disappears after a while. */
function useFresh(result: FormResult | null): boolean {
  const [expired, setExpired] = useState<FormResult | null>(null);
  useEffect(() => {
    if (result?.ok !== true) return;
    const timer = setTimeout(() => setExpired(result), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [result]);
  return result !== null && result !== expired;
}

/** The verification step of a login, for page and dialog. `email`: null if this browser has no pending login. */
export function VerifyForm({ email, backTo }: { email: string | null; backTo: string }) {
  const { Form, latest, pendingIntent } = useForms(['verify', 'resend']);
  const { pathname, search } = useLocation();
  const returnTo = <input type="hidden" name="returnTo" value={pathname + search} />;
  const fresh = useFresh(latest);
  const loginPage = useOtherPage(ACTION);
  const refused = fresh && latest?.intent === 'verify' && !latest.ok;

  return (
    <>
      {email === null ? (
        <p className="text-soft">
          No sign-in in this browser is waiting for a code, so none was sent. Go back to login to start.
        </p>
      ) : (
        <div>
          <p className="text-soft">We{"'"}ve sent a 6-digit verification code to</p>
          <p className="font-semibold wrap-anywhere">{email}</p>
        </div>
      )}
      {fresh && pendingIntent !== 'resend' ? (
        <div id={ERROR_ID}>
          <FormNotice result={latest} />
        </div>
      ) : null}
      <Form method="post" {...loginPage} noValidate className="grid gap-4">
        {/* The script of that page stores the token. */}
        {loginPage.reloadDocument ? null : <KeepTokenField />}
        {returnTo}
        <CodeField
          id="verify-code"
          name="code"
          label="Verification code"
          placeholder="000000"
          code
          aria-invalid={refused || undefined}
          aria-describedby={refused ? ERROR_ID : undefined}
        />
        <Button variant="primary" name="intent" value="verify" wide pending={pendingIntent === 'verify'}>
          Verify Email
        </Button>
      </Form>
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
        <Form method="post" {...loginPage}>
          {returnTo}
          <Button variant="link" name="intent" value="resend" pending={pendingIntent === 'resend'}>
            Resend verification code
          </Button>
        </Form>
        <Link to={backTo} preventScrollReset className={LINK_BUTTON_CLASS}>
          ← Back to login
        </Link>
      </div>
    </>
  );
}

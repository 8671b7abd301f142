import { Link, useFetcher } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { ScriptsField } from '~/components/forms/scripts-field';
import { Button } from '~/components/ui/button';
import { LINK_BUTTON_CLASS } from '~/components/ui/button-look';
import { Notice } from '~/components/ui/notice';
import { TextField } from '~/components/ui/text-field';

const CODE_LENGTH = 6;
const NOTICE_MS = 5_000;
const ACTION = '/login?step=verify';
const ERROR_ID = 'verify-outcome';

/** What came of a code or of asking for another one. */
export interface VerifyOutcome {
  intent: 'verify' | 'resend';
  ok: boolean;
  message: string;
}

/** Whether the outcome is still worth showing: a good one goes after a while, where scripts run. */
function useFresh(outcome: VerifyOutcome | undefined): boolean {
  const [over, setOver] = useState<VerifyOutcome | null>(null);
  useEffect(() => {
    if (outcome?.ok !== true) return;
    const timer = setTimeout(() => setOver(outcome), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return outcome !== undefined && outcome !== over;
}

/**
 * The step that proves an email address. `sent`: what the server said when the page itself was the answer to a
 * form, as it is without scripts. `email` is null when this browser waits for no code.
 */
export function VerifyForm({
  email,
  backTo,
  sent,
}: {
  email: string | null;
  backTo: string;
  sent?: VerifyOutcome;
}) {
  const fetcher = useFetcher<VerifyOutcome>();
  const outcome = fetcher.data ?? sent;
  const fresh = useFresh(outcome);
  const busy = fetcher.state === 'idle' ? null : fetcher.formData?.get('intent');
  const refused = fresh && outcome?.intent === 'verify' && !outcome.ok;

  return (
    <>
      {email === null ? (
        <p className="text-soft">
          No sign-in in this browser waits for a code, so none was sent. Go back to login to start.
        </p>
      ) : (
        <div>
          <p className="text-soft">We{"'"}ve sent a 6-digit verification code to</p>
          <p className="font-semibold break-words">{email}</p>
        </div>
      )}
      {fresh && outcome !== undefined && busy !== 'resend' ? (
        <div id={ERROR_ID}>
          <Notice kind={outcome.ok ? 'success' : 'error'}>{outcome.message}</Notice>
        </div>
      ) : null}
      <fetcher.Form method="post" action={ACTION} noValidate className="grid gap-4">
        <ScriptsField />
        <TextField
          id="verify-code"
          name="code"
          label="Verification code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={CODE_LENGTH}
          placeholder="000000"
          code
          aria-invalid={refused || undefined}
          aria-describedby={refused ? ERROR_ID : undefined}
        />
        <Button look="primary" name="intent" value="verify" wide pending={busy === 'verify'}>
          Verify Email
        </Button>
      </fetcher.Form>
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
        <fetcher.Form method="post" action={ACTION}>
          <Button look="link" name="intent" value="resend" pending={busy === 'resend'}>
            Resend verification code
          </Button>
        </fetcher.Form>
        <Link to={backTo} preventScrollReset className={LINK_BUTTON_CLASS}>
          ← Back to login
        </Link>
      </div>
    </>
  );
}

import { data, redirect } from '@remix-run/node';
import { codeField } from '#shared/accounts/account-fields';
import type { LocalSession } from '~/components/account/local-session';
import type { VerifyOutcome } from '~/components/account/verify-form';
import { failureOf } from '../../http/failures.server';
import { notePageFault } from '../../http/page-fault.server';
import { readPending } from '../../http/auth/pending-login.server';
import { openSecondSession } from '../../http/auth/session.server';
import { resendBrowser, verifyBrowser, type SignedInBrowser } from '../../http/auth/login.server';

/**
 * The answer to a form that signed a browser in: on to where the sign-in leads, else to the dashboard. With scripts it
 * hands over a second session for local storage instead, and they go there themselves.
 */
export async function signedInAnswer(
  request: Request,
  form: URLSearchParams,
  { headers, account, session, next }: SignedInBrowser,
) {
  const path = next ?? '/dashboard';
  if (form.get('scripts') !== 'on') return redirect(path, { status: 303, headers });
  const localSession: LocalSession = {
    token: await openSecondSession(request, session),
    user: { id: account.id, email: account.email },
  };
  return data({ localSession, path }, { headers });
}

/** Expected refusals and bugs alike: the person at this step gets a sentence where they are. */
function refuse(
  request: Request,
  intent: VerifyOutcome['intent'],
  fallback: string,
  error: unknown,
): VerifyOutcome {
  const failure = failureOf(error);
  if (failure === null) notePageFault(request, error, { message: 'a verify step failed', intent });
  return { intent, ok: false, message: failure?.message ?? fallback };
}

/** Takes a verification code from the browser that waits for one. */
export async function enterCode(request: Request, form: URLSearchParams) {
  const code = codeField.safeParse(form.get('code') ?? undefined);
  if (!code.success) {
    const message = code.error.issues[0]?.message ?? 'Verification code must be 6 digits';
    return { intent: 'verify', ok: false, message } satisfies VerifyOutcome;
  }
  try {
    return await signedInAnswer(request, form, await verifyBrowser(request, { code: code.data }));
  } catch (error) {
    return refuse(request, 'verify', 'An error occurred', error);
  }
}

/** Sends another code to the address that this browser waits for; without one it does nothing and says so. */
export async function sendAnotherCode(request: Request) {
  if ((await readPending(request)) === null) {
    const message = 'No code was sent: no sign-in in this browser waits for one. Go back to login to start.';
    return { intent: 'resend', ok: false, message } satisfies VerifyOutcome;
  }
  try {
    const { message } = await resendBrowser(request);
    return { intent: 'resend', ok: true, message } satisfies VerifyOutcome;
  } catch (error) {
    return refuse(request, 'resend', 'Failed to resend verification code', error);
  }
}

import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { codeField, newPasswordField, passwordField } from '#shared/accounts/account-fields';
import { changePassword, sendPasswordCode } from '#shared/accounts/passwords/change-password';
import { serverContext } from '../server/context.server';
import { callerNetwork } from './login.server';
import { clientUse, type LimitUse } from '../server/rate-limits.server';

/** The fields of a change of password, for the form and the API. */
export const passwordChangeFields = z.object({
  newPassword: newPasswordField,
  currentPassword: passwordField.optional(),
  code: codeField.optional(),
});

/**
 * Changes the caller's password, or sets the first one, and ends the caller's other sessions. A success does not count
 * against the rate limit. Refusals: 422, 429, 503.
 */
export async function changeOwnPassword(
  { account, session }: Viewer,
  { newPassword, currentPassword, code }: z.output<typeof passwordChangeFields>,
): Promise<{ message: string }> {
  const context = serverContext();
  const uses: LimitUse[] = [{ limit: 'passwordChange', key: account.id }];
  await context.limits.take(uses);
  const change = {
    newPassword,
    currentPassword: currentPassword ?? null,
    code: code ?? null,
    network: callerNetwork(),
  };
  const { ended } = await changePassword(context, { account, session }, change);
  await context.limits.refund(uses);
  const saved = account.password_hash === null ? 'Your password is set.' : 'Your password is changed.';
  return { message: ended === 0 ? saved : `${saved} You are signed out everywhere else.` };
}

/** Mails a code with which an account without a password sets one. Refusals: 409, 429, 503. */
export async function sendOwnPasswordCode({ account, session }: Viewer): Promise<{ message: string }> {
  const context = serverContext();
  await context.limits.take([clientUse('resend')]);
  await sendPasswordCode(context, { account, session });
  return { message: `A code is on its way to ${account.email}. It works for ten minutes.` };
}

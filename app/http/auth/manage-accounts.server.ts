import type { Viewer } from '#shared/accounts/account';
import {
  disableAccount,
  enableAccount,
  signOutAccount,
  type SubscriptionEnding,
} from '#shared/accounts/account-status.server';
import { describeDisabled, describeEnabled, describeSignedOut } from '#shared/accounts/status-sentences';
import { serverContext } from '../server/context.server';
import { writeOf } from './write-of.server';

interface Managed {
  /** The acting admin. */
  viewer: Viewer;
  accountId: string;
}

/** Counts a write of the admin. Refusal: 429. */
async function take({ viewer }: Managed): Promise<void> {
  await serverContext().limits.take([{ limit: 'accountWrite', key: viewer.account.id }]);
}

/** Disables an account for an admin. Refusals: 404, 409, 429. */
export async function disableManaged(
  managed: Managed,
): Promise<{ message: string; subscription: SubscriptionEnding['is'] }> {
  await take(managed);
  const { db, payments } = serverContext();
  const { viewer, accountId } = managed;
  const disabled = await disableAccount(db, { accountId, payments, ...writeOf(viewer) });
  return { message: describeDisabled(disabled), subscription: disabled.subscription.is };
}

/** Enables an account for an admin. Refusals: 404, 429. */
export async function enableManaged(managed: Managed): Promise<{ message: string }> {
  await take(managed);
  const { viewer, accountId } = managed;
  const enabled = await enableAccount(serverContext().db, { accountId, ...writeOf(viewer) });
  return { message: describeEnabled(enabled) };
}

/** Ends the sessions of an account for an admin. Refusals: 404, 429. */
export async function signOutManaged(managed: Managed): Promise<{ message: string }> {
  await take(managed);
  const { viewer, accountId } = managed;
  const signedOut = await signOutAccount(serverContext().db, { accountId, ...writeOf(viewer) });
  return { message: describeSignedOut(signedOut) };
}

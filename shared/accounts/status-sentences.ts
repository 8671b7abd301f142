import type { DisabledAccount } from './account-status.server';

const sessionsOf = (count: number) => (count === 1 ? 'one session' : `${count} sessions`);
const endOf = (count: number) => (count === 0 ? 'it was signed in nowhere' : `${sessionsOf(count)} ended`);

/** What an admin reads after disabling an account. */
export function describeDisabled({ changed, email, ended, subscription }: DisabledAccount): string {
  const first = changed
    ? `${email} is disabled: it cannot sign in, gets no alerts, and ${endOf(ended)}.`
    : `${email} was disabled already.`;
  switch (subscription.is) {
    case 'none':
      return first;
    case 'cancelled':
      return `${first} Its subscription does not renew. Refunds are made in Stripe’s dashboard.`;
    case 'failed':
      return `${first} But its subscription could not be cancelled yet: ${subscription.reason} It is tried again every minute; if it must end now, cancel it in Stripe’s dashboard.`;
  }
}

/** What an admin reads after enabling an account. */
export function describeEnabled({ changed, email }: { changed: boolean; email: string }): string {
  return changed
    ? `${email} can sign in again. A subscription that was cancelled stays cancelled; the member can reactivate it before it ends.`
    : `${email} is not disabled.`;
}

/** What an admin reads after ending the sessions of an account. */
export function describeSignedOut({ ended, email }: { ended: number; email: string }): string {
  return ended === 0
    ? `${email} was signed in nowhere.`
    : `${email} is signed out everywhere: ${sessionsOf(ended)} ended.`;
}

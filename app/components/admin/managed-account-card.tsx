import { Link } from '@remix-run/react';
import type { ManagedAccount } from '#shared/accounts/account-status.server';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { LongDate } from '~/components/time/dates';
import { Button, buttonClass } from '~/components/ui/button';
import { AddressDialog } from '~/components/ui/dialogs';
import { counted } from '#shared/format';
import { Panel } from '~/components/ui/card';
import { accountAddress, disableAccountAddress } from './account-addresses';

function factsOf({ email, role, discordUsername, tier, sessions }: ManagedAccount): [string, string][] {
  return [
    ['Email', email],
    ['Role', role === 'admin' ? 'Admin' : 'Member'],
    ['Discord', discordUsername ?? 'Not connected'],
    ['Plan', tier === 'pro' ? 'Pro' : 'Free'],
    ['Signed in', sessions === 0 ? 'Nowhere' : counted(sessions, 'session')],
  ];
}

interface ManagedAccountCardProps {
  account: ManagedAccount;
  own: boolean;
  asks: boolean;
  onLeave: () => void;
}

/**
 * An account with the buttons that sign it out, disable and enable it. `own`: the admin's own account, which has none.
 * `asks`: the dialog that asks before disabling is open; `onLeave` closes it.
 */
export function ManagedAccountCard({ account, own, asks, onLeave }: ManagedAccountCardProps) {
  const { Form, result, pendingIntent } = useForms(['disable', 'enable', 'signOut']);
  const { id, username, createdAt, disabledAt } = account;
  const refusal = asks && result?.intent === 'disable' && !result.ok ? result : null;
  return (
    <div className="grid max-w-xl gap-4">
      {asks ? (
        <AddressDialog
          title={`Disable ${username}’s account?`}
          text="It is signed out everywhere at once, cannot sign in, and gets no alerts. Its subscription does not renew. You can enable it again."
          onLeave={onLeave}
        >
          {/* An open dialog shows the refusal of its form. */}
          <FormNotice result={refusal} />
          <Link to={accountAddress(id)} replace preventScrollReset className={buttonClass()}>
            Cancel
          </Link>
          <Form method="post" preventScrollReset>
            <Button variant="primary" name="intent" value="disable" pending={pendingIntent === 'disable'}>
              Disable account
            </Button>
          </Form>
        </AddressDialog>
      ) : null}
      <FormNotice result={refusal === null ? result : null} />
      <Panel title={disabledAt === null ? 'Account' : 'Disabled account'}>
        <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2">
          {factsOf(account).map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
          <dt className="text-soft">Created</dt>
          <dd>
            <LongDate iso={createdAt} />
          </dd>
          {disabledAt === null ? null : (
            <>
              <dt className="text-soft">Disabled</dt>
              <dd>
                <LongDate iso={disabledAt} />
              </dd>
            </>
          )}
        </dl>
        {own ? (
          <p className="text-soft">
            This is your own account. Your <Link to="/account">account page</Link> signs you out elsewhere.
          </p>
        ) : (
          <div className="flex flex-wrap gap-2.5">
            {disabledAt === null ? (
              <>
                <Form method="post" preventScrollReset>
                  <Button name="intent" value="signOut" pending={pendingIntent === 'signOut'}>
                    Sign out everywhere
                  </Button>
                </Form>
                <Link to={disableAccountAddress(id)} preventScrollReset className={buttonClass()}>
                  Disable…
                </Link>
              </>
            ) : (
              <Form method="post" preventScrollReset>
                <Button variant="primary" name="intent" value="enable" pending={pendingIntent === 'enable'}>
                  Enable account
                </Button>
              </Form>
            )}
          </div>
        )}
      </Panel>
    </div>
  );
}

import { Link } from '@remix-run/react';
import type { ManagedAccount } from '#shared/accounts/account-status.server';
import type { RoleState } from '#shared/role-sync/read-roles';
import type { Forms } from '~/components/forms/use-forms';
import { DateAndMinute, LongDate } from '~/components/time/dates';
import { Button, buttonClass } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { memberQuestionAddress } from '../member-addresses';
import { Facts } from './facts';

interface AccountPanelProps {
  account: ManagedAccount;
  /** On Discord; null without a linked account, or if they could not be read. */
  roles: readonly RoleState[] | null;
  beta: { requestedAt: string | null; approvedAt: string | null };
  /** The admin's own account, which has no buttons. */
  own: boolean;
  forms: Pick<Forms, 'Form' | 'pendingIntent'>;
}

const ROLE_STATES = {
  held: 'has it',
  missing: 'not entitled',
  coming: 'waits to get it',
  leaving: 'waits to lose it',
  unchecked: 'not checked yet',
  absent: 'not in the server',
  banned: 'banned there',
} as const satisfies Record<RoleState['state'], string>;

/** Such as "instant: has it". */
const describeRole = ({ audience, watch, state }: RoleState): string =>
  `${watch?.title ?? audience}: ${ROLE_STATES[state]}`;

function BetaState({ requestedAt, approvedAt }: AccountPanelProps['beta']) {
  if (approvedAt !== null)
    return (
      <>
        Approved on <LongDate iso={approvedAt} />
      </>
    );
  if (requestedAt === null) return 'Not requested';
  return (
    <>
      Requested on <LongDate iso={requestedAt} />: <Link to="/dashboard/beta-access">pending requests</Link>
    </>
  );
}

/** The member's account, with the buttons that sign it out, disable and enable it. */
export function AccountPanel({
  account,
  roles,
  beta,
  own,
  forms: { Form, pendingIntent },
}: AccountPanelProps) {
  const { id, email, role, discordUsername, createdAt, confirmedAt, disabledAt, deleteAfter, deletedAt } =
    account;
  return (
    <Panel
      title={deletedAt !== null ? 'Deleted account' : disabledAt === null ? 'Account' : 'Disabled account'}
    >
      <Facts
        facts={[
          ['Email', email],
          ['Role', role === 'admin' ? 'Admin' : 'Member'],
          ['Discord', discordUsername ?? 'Not connected'],
          ['Discord roles', roles === null || roles.length === 0 ? null : roles.map(describeRole).join(', ')],
          ['Beta access', <BetaState key="beta" {...beta} />],
          ['Created', <LongDate key="created" iso={createdAt} />],
          [
            'Address',
            confirmedAt === null ? (
              'Never confirmed: this account cannot sign in and will be deleted after 30 days'
            ) : (
              <>
                Confirmed on <LongDate iso={confirmedAt} />
              </>
            ),
          ],
          ['Disabled', disabledAt === null ? null : <DateAndMinute key="disabled" iso={disabledAt} />],
          [
            'Will be deleted',
            deleteAfter === null ? null : <DateAndMinute key="deletion" iso={deleteAfter} />,
          ],
          ['Deleted', deletedAt === null ? null : <DateAndMinute key="deleted" iso={deletedAt} />],
        ]}
      />
      {own ? (
        <p className="text-soft">
          This is your own account. Your <Link to="/account">account page</Link> signs you out elsewhere.
        </p>
      ) : deletedAt !== null ? null : (
        <div className="flex flex-wrap gap-2.5">
          {disabledAt === null ? (
            <Link to={memberQuestionAddress(id, 'disable')} preventScrollReset className={buttonClass()}>
              Disable…
            </Link>
          ) : (
            <Form method="post" preventScrollReset>
              <Button variant="primary" name="intent" value="enable" pending={pendingIntent === 'enable'}>
                {deleteAfter === null ? 'Enable account' : 'Enable and keep account'}
              </Button>
            </Form>
          )}
          {disabledAt === null ? (
            <Form method="post" preventScrollReset>
              <Button name="intent" value="export" pending={pendingIntent === 'export'}>
                Email the member their data
              </Button>
            </Form>
          ) : null}
          {deleteAfter === null ? (
            <Link to={memberQuestionAddress(id, 'delete')} preventScrollReset className={buttonClass()}>
              Delete…
            </Link>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

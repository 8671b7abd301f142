import { Link, useNavigate } from '@remix-run/react';
import { useCallback, useEffect, useRef } from 'react';
import type { BetaUser } from '#shared/beta/read-beta';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { LongDate } from '~/components/long-date';
import { Button } from '~/components/ui/button';
import { buttonClass } from '~/components/ui/button-look';
import { AddressDialog } from '~/components/ui/address-dialog';
import type { BetaTab } from './beta-tabs';

const EMPTY: Record<BetaTab, string> = {
  pending: 'No pending requests. New ones appear here.',
  approved: 'No approved users yet.',
};

/**
 * The users of one tab, with the one decision there is about each. `page`: the list's address without a question;
 * `revoking`: whom the address asks about.
 */
export function BetaUserList({
  tab,
  page,
  users,
  revoking,
}: {
  tab: BetaTab;
  page: string;
  users: readonly BetaUser[];
  revoking: BetaUser | null;
}) {
  const { Form, result, pending, pendingIntent } = useForms(['approve', 'revoke']);
  const navigate = useNavigate();
  const top = useRef<HTMLDivElement>(null);
  const leave = useCallback(
    () => navigate(page, { replace: true, preventScrollReset: true }),
    [navigate, page],
  );
  useEffect(() => {
    if (result?.intent === 'revoke' && !result.ok) leave();
    // The row with the button that was pressed is gone.
    if (result?.ok === true && document.activeElement === document.body) top.current?.focus();
  }, [result, leave]);

  const decided = pending?.get('id');
  return (
    <div ref={top} tabIndex={-1} className="grid gap-4 outline-none">
      {revoking === null ? null : (
        <AddressDialog
          title={`Revoke ${revoking.username}’s beta access?`}
          text="They keep their account, lose the beta’s features immediately, and can request access again."
          onLeave={leave}
        >
          <Link to={page} replace preventScrollReset className={buttonClass()}>
            Cancel
          </Link>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="id" value={revoking.id} />
            <Button look="primary" name="intent" value="revoke" pending={pendingIntent === 'revoke'}>
              Revoke access
            </Button>
          </Form>
        </AddressDialog>
      )}
      <FormNotice result={result} />
      {users.length === 0 ? (
        <p className="rounded-card border border-dashed border-soft px-4 py-10 text-center text-soft">
          {EMPTY[tab]}
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface shadow-card">
          {users.map(({ id, username, email, requestedAt, accountCreated, approvedAt }) => (
            <li key={id} className="grid gap-x-5 gap-y-2 px-5 py-4 sm:grid-cols-[1fr_auto] sm:items-center">
              <div className="min-w-0">
                <p className="[overflow-wrap:anywhere]">
                  <span className="font-semibold">{username}</span> <span className="text-soft">{email}</span>
                </p>
                <p className="flex flex-wrap gap-x-4 text-small text-soft">
                  {requestedAt === null ? null : (
                    <span>
                      Requested <LongDate iso={requestedAt} />
                    </span>
                  )}
                  {approvedAt === null ? null : (
                    <span>
                      Approved <LongDate iso={approvedAt} />
                    </span>
                  )}
                  <span>
                    Account created <LongDate iso={accountCreated} />
                  </span>
                </p>
              </div>
              {tab === 'approved' ? (
                <Link
                  to={`?tab=approved&revoke=${encodeURIComponent(id)}`}
                  preventScrollReset
                  className={buttonClass()}
                >
                  Revoke…<span className="sr-only"> access of {username}</span>
                </Link>
              ) : (
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="id" value={id} />
                  <Button
                    name="intent"
                    value="approve"
                    pending={pendingIntent === 'approve' && decided === id}
                  >
                    Approve<span className="sr-only"> {username}</span>
                  </Button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

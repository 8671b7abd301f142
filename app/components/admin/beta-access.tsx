import { Button, Link, buttonClass } from '~/components/ui/button';
import { useEffect, useRef } from 'react';
import type { BetaStats, BetaUser } from '#shared/beta/read-beta';
import { FormDialog } from '~/components/forms/confirmations';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { LongDate } from '~/components/time/dates';
import { memberAddress } from './member-addresses';

/** The statistics of the beta. */
export function BetaStatCards({ stats }: { stats: BetaStats }) {
  const cards: [string, string | number][] = [
    ['Total Users', stats.totalUsers],
    ['Pending Requests', stats.pendingRequests],
    ['Approved Users', stats.approvedUsers],
    ['Total Requests', stats.totalRequests],
    ['Approval Rate', `${stats.approvalRate}%`],
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
      {cards.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-col-reverse justify-end gap-1 rounded-pocket border border-line bg-surface px-4 py-3.5 last:max-sm:col-span-2"
        >
          <dt className="text-small text-soft">{name}</dt>
          <dd className="font-display text-title font-bold tracking-[-0.02em]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export const BETA_TABS = { pending: 'Pending Requests', approved: 'Approved Users' } as const;
export type BetaTab = keyof typeof BETA_TABS;

/** Links to the two lists. `page`: the path of the section. */
export function BetaTabs({ page, current }: { page: string; current: BetaTab }) {
  return (
    <nav aria-label="Beta access lists" className="border-b border-line">
      <ul className="flex gap-6">
        {(Object.keys(BETA_TABS) as BetaTab[]).map((tab) => (
          <li key={tab}>
            <Link
              to={tab === 'pending' ? page : `${page}?tab=${tab}`}
              preventScrollReset
              prefetch="intent"
              aria-current={tab === current ? 'page' : undefined}
              className="-mb-px block border-b-2 border-transparent py-2.5 font-semibold text-soft no-underline hover:text-ink aria-[current=page]:border-brand aria-[current=page]:text-ink"
            >
              {BETA_TABS[tab]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const EMPTY: Record<BetaTab, string> = {
  pending: 'No pending requests. New ones appear here.',
  approved: 'No approved users yet.',
};

interface BetaUserListProps {
  tab: BetaTab;
  page: string;
  users: readonly BetaUser[];
  revoking: BetaUser | null;
}

/** A tab's users, with a button each. `page`: the list's URL; `revoking`: the user of the dialog that the URL opens. */
export function BetaUserList({ tab, page, users, revoking }: BetaUserListProps) {
  const forms = useForms(['approve', 'revoke']);
  const { Form, result, pending, pendingIntent } = forms;
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button was removed with its row.
    if (result?.ok === true && document.activeElement === document.body) top.current?.focus();
  }, [result]);

  const refusal = revoking !== null && result?.intent === 'revoke' && !result.ok ? result : null;
  const pendingId = pending?.get('id');
  return (
    <div ref={top} tabIndex={-1} className="grid gap-4 outline-none">
      {revoking === null ? null : (
        <FormDialog
          title={`Revoke ${revoking.username}’s beta access?`}
          text="They keep their account, lose the beta’s features immediately, and can request access again."
          leaveTo={page}
          forms={forms}
          refusal={refusal}
          intent="revoke"
          label="Revoke access"
          fields={{ id: revoking.id }}
        />
      )}
      <FormNotice result={refusal === null ? result : null} />
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
                  <span className="font-semibold">{username}</span>{' '}
                  <Link
                    to={memberAddress(id)}
                    className="text-soft underline underline-offset-4 hover:text-brand"
                  >
                    {email}
                  </Link>
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
                    pending={pendingIntent === 'approve' && pendingId === id}
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

import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import type { ListedSubscription } from '#shared/subscriptions/list-subscriptions';
import { LongDate, DateAndMinute } from '~/components/time/dates';
import { formatPounds } from '#shared/money';
import { Link, buttonClass } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { memberQuestionAddress } from '../member-addresses';
import type { MemberReceipt } from './member-question';
import { Empty, Facts, ListTitle } from './facts';

/** The current plan in words. */
function stateWords({ tier, state, cancelAtPeriodEnd, isRenewalUnpaid }: SubscriptionView): string {
  if (state === 'paused') return 'Free: Stripe has paused the subscription';
  if (tier === 'free') return 'Free';
  if (isRenewalUnpaid) return 'Pro until the grace ends: the renewal is not paid';
  if (state === 'past_due') return 'Pro; a payment failed';
  return cancelAtPeriodEnd ? 'Pro until the period ends: cancelled' : 'Pro';
}

/** The words for a status: Stripe's, or ours for our own statuses. */
const statusWords = ({ status }: ListedSubscription): string =>
  status === 'creating' ? 'started here, not yet at Stripe' : status.replaceAll('_', ' ');

interface PlanPanelProps {
  id: string;
  /** The admin's own account, which has no buttons. */
  own: boolean;
  plan: SubscriptionView;
  subscriptions: readonly ListedSubscription[];
  receipts: readonly MemberReceipt[];
}

/** The plan of a member, Stripe's last known state of their subscriptions, and the receipts that can be sent again. */
export function PlanPanel({ id, own, plan, subscriptions, receipts }: PlanPanelProps) {
  return (
    <Panel title="Plan">
      <Facts
        facts={[
          ['Now', stateWords(plan)],
          ['Plan', plan.packageName],
          [
            plan.cancelAtPeriodEnd || plan.isRenewalUnpaid ? 'Ends' : 'Renews',
            plan.expiresAt === null ? null : <LongDate key="end" iso={plan.expiresAt} />,
          ],
          ['Waits for', plan.needsConfirmation ? 'the member’s confirmation of a payment' : null],
        ]}
      />
      <ListTitle>What Stripe says</ListTitle>
      {subscriptions.length === 0 ? (
        <Empty>This member has never started a subscription.</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {subscriptions.map((subscription) => (
            <li key={subscription.id} className="py-2 wrap-anywhere">
              <p>
                {subscription.packageName}: <strong>{statusWords(subscription)}</strong>
              </p>
              <p className="text-small text-soft">
                Begun on <LongDate iso={subscription.createdAt} />
                {subscription.endedAt === null ? null : (
                  <>
                    , ended on <LongDate iso={subscription.endedAt} />
                  </>
                )}
                {subscription.cancelReason === null ? null : `. Reason given: “${subscription.cancelReason}”`}
                {subscription.missingSince === null ? null : '. It no longer exists at Stripe'}
                {subscription.syncedAt === null ? null : (
                  <>
                    . Read <DateAndMinute iso={subscription.syncedAt} />
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      <ListTitle>Receipts</ListTitle>
      {receipts.length === 0 ? (
        <Empty>Nothing has been paid yet.</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {receipts.map((receipt) => (
            <li key={receipt.id} className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 py-2">
              <span className="min-w-0 wrap-anywhere">
                {receipt.packageName}, {formatPounds(receipt.amountPence)}, <LongDate iso={receipt.paidAt} />
              </span>
              {own ? null : (
                <Link
                  to={memberQuestionAddress(id, 'receipt', receipt.id)}
                  preventScrollReset
                  className={buttonClass()}
                >
                  Send again…
                  <span className="sr-only"> {receipt.packageName}</span>
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import type { ListedSubscription } from '#shared/subscriptions/list-subscriptions';
import { LongDate, DateAndMinute } from '~/components/time/dates';
import { Panel } from '~/components/ui/card';
import { Empty, Facts, ListTitle } from './facts';

/** What the member has now. */
function stateWords({ tier, state, cancelAtPeriodEnd, isRenewalUnpaid }: SubscriptionView): string {
  if (state === 'paused') return 'Free: Stripe has paused the subscription';
  if (tier === 'free') return 'Free';
  if (isRenewalUnpaid) return 'Pro until the grace ends: the renewal is not paid';
  if (state === 'past_due') return 'Pro; a payment failed';
  return cancelAtPeriodEnd ? 'Pro until the period ends: cancelled' : 'Pro';
}

/** Of a status in Stripe's words, with ours for the rest. */
const statusWords = ({ status }: ListedSubscription): string =>
  status === 'creating' ? 'begun here, not at Stripe yet' : status.replaceAll('_', ' ');

/** The plan of a member, and what Stripe last said of their subscriptions. */
export function PlanPanel({
  plan,
  subscriptions,
}: {
  plan: SubscriptionView;
  subscriptions: readonly ListedSubscription[];
}) {
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
        <Empty>This member has never begun a subscription.</Empty>
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
                {subscription.missingSince === null ? null : '. Stripe does not know it any more'}
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
    </Panel>
  );
}

import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import { formatPounds } from '#shared/money';
import { LongDate } from '~/components/time/dates';

/**
 * What happens to the member's money and when, in a sentence. `isDue`: the day of the renewal has come, and Stripe has not
 * confirmed it yet.
 */
export function MoneyLine({
  subscription: { state, expiresAt, periodEnd, renewalPence, isRenewalUnpaid },
  isDue = false,
}: {
  subscription: SubscriptionView;
  isDue?: boolean;
}) {
  if (state === 'none' || expiresAt === null) return <>Nothing is charged.</>;
  const day = <LongDate iso={expiresAt} />;
  const amount = renewalPence === null ? '' : ` for ${formatPounds(renewalPence)}`;
  switch (state) {
    case 'active':
      return isDue ? (
        <>
          The renewal of {day}
          {amount} is on its way.
        </>
      ) : (
        <>
          Renews on {day}
          {amount}.
        </>
      );
    case 'canceling':
      return periodEnd !== null && periodEnd < expiresAt ? (
        <>
          Ends on {day}. Until then it renews, next on <LongDate iso={periodEnd} />
          {amount}.
        </>
      ) : (
        <>Ends on {day}. You are not charged again.</>
      );
    case 'past_due':
      return (
        <>
          Ends on {day}, unless {isRenewalUnpaid ? 'the renewal' : 'the open payment'} is paid before.
        </>
      );
  }
}

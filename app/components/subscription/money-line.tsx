import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import { formatPounds } from '#shared/money';
import { LongDate } from '~/components/time/dates';

/** The end of a sentence about the next renewal: its amount, or nothing while that is not known for certain. */
export function renewalAmount({ renewalPence }: Pick<SubscriptionView, 'renewalPence'>): string {
  if (renewalPence === null) return '';
  return renewalPence === 0 ? ', with nothing to pay' : ` for ${formatPounds(renewalPence)}`;
}

interface MoneyLineProps {
  subscription: SubscriptionView;
  isDue?: boolean;
}

/** The next charge or end of a subscription. `isDue`: it is renewal day, and Stripe has not confirmed it yet. */
export function MoneyLine({ subscription, isDue = false }: MoneyLineProps) {
  const { state, expiresAt, periodEnd, isRenewalUnpaid } = subscription;
  if (state === 'paused')
    return <>Your Pro subscription is paused. Nothing is charged until it is resumed.</>;
  if (state === 'none' || expiresAt === null) return <>Nothing is charged.</>;
  const day = <LongDate iso={expiresAt} />;
  switch (state) {
    case 'active':
      return <RenewalLine subscription={subscription} expiresAt={expiresAt} isDue={isDue} />;
    case 'canceling':
      return periodEnd !== null && periodEnd < expiresAt ? (
        <>
          Ends on {day}. Until then it renews, next on <LongDate iso={periodEnd} />
          {renewalAmount(subscription)}.
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

interface RenewalLineProps {
  subscription: SubscriptionView;
  expiresAt: string;
  isDue: boolean;
}

/** The sentence about a subscription that runs on. */
function RenewalLine({ subscription, expiresAt, isDue }: RenewalLineProps) {
  const { pause, isTrial, nextPackageName, renewalPence } = subscription;
  const day = <LongDate iso={expiresAt} />;
  const amount = renewalAmount(subscription);
  if (pause !== null)
    return pause.until === null ? (
      <>Payments are paused. Nothing is charged until they resume.</>
    ) : (
      <>
        Payments are paused. Nothing is charged before <LongDate iso={pause.until} />.
      </>
    );
  if (isTrial && !isDue)
    return (
      <>
        Your trial ends on {day}.
        {renewalPence === null
          ? null
          : renewalPence === 0
            ? ' Nothing is charged then.'
            : ` ${formatPounds(renewalPence)} is charged then, unless you cancel before.`}
      </>
    );
  if (isDue)
    return (
      <>
        The renewal of {day}
        {amount} is on its way.
      </>
    );
  return (
    <>
      {nextPackageName === null ? 'Renews on ' : `Changes to ${nextPackageName} on `}
      {day}
      {amount}.
    </>
  );
}

import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import { LongDate } from '~/components/time/dates';
import { Notice } from '~/components/ui/notice';
import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import { CONFIRM_STEP } from '~/components/payment/addresses';

/** What a subscription needs of its member: a payment to confirm, or another card. */
export function PlanNotices({
  subscription: { state, expiresAt, needsConfirmation, isRenewalUnpaid },
}: {
  subscription: SubscriptionView;
}) {
  if (needsConfirmation)
    return (
      <Notice kind="error">
        Your bank wants you to confirm a payment.{' '}
        {state === 'past_due' && expiresAt !== null ? (
          <>
            Pro stays on until <LongDate iso={expiresAt} />.{' '}
          </>
        ) : null}
        {/* The payment step has its own Content-Security-Policy, so it is always loaded as a document. */}
        <a href={CONFIRM_STEP} className={LINK_BUTTON_CLASS}>
          Confirm payment
        </a>
      </Notice>
    );
  if (state !== 'past_due' || expiresAt === null) return null;
  return (
    <Notice kind="error">
      {isRenewalUnpaid ? 'Your renewal' : 'A payment for your plan'} could not be charged. Pro stays on until{' '}
      <LongDate iso={expiresAt} />. Pay it with this or another card to keep Pro.{' '}
      <a href={CONFIRM_STEP} className={LINK_BUTTON_CLASS}>
        Pay now
      </a>
    </Notice>
  );
}

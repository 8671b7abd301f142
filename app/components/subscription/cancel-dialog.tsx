import { Link } from '@remix-run/react';
import { MAX_REASON_LENGTH } from '#shared/subscriptions/cancel-reason';
import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, buttonClass } from '~/components/ui/button';
import { TextArea } from '~/components/ui/fields';
import { LongDate } from '~/components/time/dates';
import { SUBSCRIPTION } from '~/components/payment/addresses';
import { PageDialog } from '~/components/ui/dialogs';

/** Asks to confirm the cancellation, with an optional reason. */
export function CancelDialog({
  subscription: { isRenewalUnpaid, expiresAt },
}: {
  subscription: SubscriptionView;
}) {
  const { Form, result, latest, pending } = useForms(['cancel']);
  return (
    <PageDialog title="Cancel Subscription" leaveTo={SUBSCRIPTION}>
      <p className="text-soft">
        {isRenewalUnpaid || expiresAt === null ? (
          'The last period is not paid, so Pro ends at once and the open payment is dropped. '
        ) : (
          <>
            Pro stays on until <LongDate iso={expiresAt} />, then your account is free. Until then you can
            reactivate it.{' '}
          </>
        )}
        You are not charged again, and your tokens stay yours.
      </p>
      <FormNotice result={result?.ok === false ? result : null} fields={['reason']} />
      <Form method="post" preventScrollReset className="grid gap-4">
        <TextArea
          id="reason"
          name="reason"
          label="Reason (optional)"
          hint="What could be better? The people who run this site read your answer."
          rows={3}
          maxLength={MAX_REASON_LENGTH}
          defaultValue={latest?.values?.reason}
          errors={result?.errors?.reason}
        />
        <div className="flex flex-wrap gap-2.5">
          <Link to={SUBSCRIPTION} replace preventScrollReset className={buttonClass()}>
            Keep Subscription
          </Link>
          <Button variant="primary" name="intent" value="cancel" pending={pending !== null}>
            Cancel Subscription
          </Button>
        </div>
      </Form>
    </PageDialog>
  );
}

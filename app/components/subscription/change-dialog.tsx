import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { SubscriptionPackage } from '#shared/subscriptions/packages/subscription-packages';
import { formatPounds } from '#shared/money';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, buttonClass } from '~/components/ui/button';
import { LongDate } from '~/components/time/dates';
import { CHANGE_DIALOG, SUBSCRIPTION } from '~/components/payment/addresses';
import { everyPeriod, perPeriod } from '~/components/payment/plan-period';
import { PageDialog } from '~/components/ui/dialogs';

/** A quote as the dialog shows it. */
export interface QuoteView {
  id: string;
  currentPlan: { name: string };
  newPlan: { id: string; name: string; pricePence: number; durationDays: number };
  remainingPence: number;
  proratedPence: number;
  /** When the new plan renews for its full price. */
  renewsAt: string;
}

interface ChoosePlanDialogProps {
  plans: readonly SubscriptionPackage[];
  currentPackageId: string | null;
}

/** The first step: choosing the plan. */
export function ChoosePlanDialog({ plans, currentPackageId }: ChoosePlanDialogProps) {
  const { Form, result, pending } = useForms(['preview']);
  const others = plans.filter(({ id, sellable }) => sellable && id !== currentPackageId);
  return (
    <PageDialog title="Change Plan" leaveTo={SUBSCRIPTION}>
      <FormNotice result={result?.ok === false ? result : null} />
      <Form method="post" preventScrollReset className="grid gap-4">
        <fieldset className="grid gap-2.5">
          <legend className="mb-2 text-soft">
            {others.length === 0
              ? 'There is no other plan to change to at the moment.'
              : 'Choose a plan. The next step shows what is due today; nothing is charged before you confirm.'}
          </legend>
          {plans.map((plan) => {
            const isCurrent = plan.id === currentPackageId;
            return (
              <label
                key={plan.id}
                className={`flex min-h-14 items-center gap-3 rounded-pocket border border-line px-4 py-2.5 has-checked:border-brand has-checked:bg-page ${isCurrent || !plan.sellable ? 'text-soft' : 'cursor-pointer'}`}
              >
                <input
                  type="radio"
                  name="packageId"
                  value={plan.id}
                  required
                  disabled={isCurrent || !plan.sellable}
                  defaultChecked={others.length === 1 && plan.id === others[0]?.id}
                  className="size-5 accent-brand"
                />
                <span className="mr-auto min-w-0 font-semibold wrap-anywhere">{plan.name}</span>
                <span className="text-right text-small">
                  {isCurrent ? (
                    'Current plan'
                  ) : !plan.sellable ? (
                    'Not available at the moment'
                  ) : (
                    <>
                      {formatPounds(plan.pricePence)} {perPeriod(plan.durationDays)}
                    </>
                  )}
                </span>
              </label>
            );
          })}
        </fieldset>
        <div className="flex flex-wrap gap-2.5">
          <Link to={SUBSCRIPTION} replace preventScrollReset className={buttonClass()}>
            Keep my plan
          </Link>
          {others.length === 0 ? null : (
            <Button variant="primary" name="intent" value="preview" pending={pending !== null}>
              Preview change
            </Button>
          )}
        </div>
      </Form>
    </PageDialog>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2.5 last:border-0">
      <dt className="text-soft">{name}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}

/** The second step: the price of the change. */
export function ConfirmChangeDialog({ quote }: { quote: QuoteView }) {
  const { Form, result, pending } = useForms(['change']);
  const { currentPlan, newPlan, remainingPence, proratedPence, renewsAt } = quote;
  return (
    <PageDialog title="Change Plan" leaveTo={SUBSCRIPTION}>
      <FormNotice result={result?.ok === false ? result : null} />
      <dl>
        <Line name="Current plan">{currentPlan.name}</Line>
        <Line name="New plan">
          {newPlan.name}, {formatPounds(newPlan.pricePence)} {perPeriod(newPlan.durationDays)}
        </Line>
        <Line name="Remaining value">{formatPounds(remainingPence)}</Line>
        {proratedPence < 0 ? (
          <Line name="Credit Applied">{formatPounds(-proratedPence)}</Line>
        ) : (
          <Line name="Additional Payment">{formatPounds(proratedPence)}</Line>
        )}
      </dl>
      <p className="text-small text-soft">
        {proratedPence > 0
          ? `${formatPounds(proratedPence)} is charged today to the card on file.`
          : proratedPence < 0
            ? `Nothing is charged today. ${formatPounds(-proratedPence)} is taken off your next payments.`
            : 'Nothing is charged today.'}{' '}
        {newPlan.name} starts now and renews on <LongDate iso={renewsAt} />, then{' '}
        {everyPeriod(newPlan.durationDays)} until you cancel on this page.
      </p>
      <Form method="post" preventScrollReset className="flex flex-wrap gap-2.5">
        <input type="hidden" name="packageId" value={newPlan.id} />
        <input type="hidden" name="quoteId" value={quote.id} />
        <Link to={CHANGE_DIALOG} replace preventScrollReset className={buttonClass()}>
          Back
        </Link>
        <Button variant="primary" name="intent" value="change" pending={pending !== null}>
          Confirm Change
        </Button>
      </Form>
    </PageDialog>
  );
}

/** Replaces the second step when its quote has expired. */
export function ExpiredQuoteDialog({ plan }: { plan: Pick<SubscriptionPackage, 'id' | 'name'> }) {
  const { Form, result, pending } = useForms(['preview', 'change']);
  return (
    <PageDialog title="Change Plan" leaveTo={SUBSCRIPTION}>
      <FormNotice result={result?.ok === false ? result : null} />
      <p className="text-soft">
        A preview is valid for fifteen minutes. Nothing was charged. Preview {plan.name} again to see what is
        due now.
      </p>
      <Form method="post" preventScrollReset className="flex flex-wrap gap-2.5">
        <input type="hidden" name="packageId" value={plan.id} />
        <Link to={CHANGE_DIALOG} replace preventScrollReset className={buttonClass()}>
          Back
        </Link>
        <Button variant="primary" name="intent" value="preview" pending={pending !== null}>
          Preview again
        </Button>
      </Form>
    </PageDialog>
  );
}

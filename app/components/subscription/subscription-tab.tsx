import type { BetaAccess } from '#shared/beta/read-beta';
import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import type { SubscriptionPackage } from '#shared/subscriptions/packages/subscription-packages';
import { BetaRequest } from '~/components/account/beta-request';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { SUBSCRIPTION, CANCEL_DIALOG, CHANGE_DIALOG } from '~/components/payment/addresses';
import type { PaymentHold } from '~/components/payment/payment-texts';
import { PlanCards } from './plan-cards';
import { Link } from '@remix-run/react';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, buttonClass } from '~/components/ui/button';
import { LongDate } from '~/components/time/dates';
import { MoneyLine, renewalAmount } from './money-line';
import { PlanBadge } from './plan-badge';
import { PlanNotices } from './plan-notices';
import { PortalForm } from '~/components/payment/portal-form';

interface CurrentPlanProps {
  subscription: SubscriptionView;
  canChange: boolean;
  dialogOpen: boolean;
  /** The member exists at Stripe, so there may be a card to change or an invoice to see. */
  hasPaid: boolean;
}

/** The current plan with its actions. `canChange`: buying needs beta access and Stripe. */
function CurrentPlan({ subscription, canChange, hasPaid, dialogOpen }: CurrentPlanProps) {
  const { tier, state, expiresAt, periodEnd, packageName } = subscription;
  return (
    <Panel title="Current Plan">
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <span className="font-display text-heading leading-none font-bold tracking-[-0.02em]">
            {tier === 'pro' ? 'Pro' : 'Free'}
          </span>
          <PlanBadge state={state} />
        </p>
        <p className="mt-2 wrap-anywhere text-soft">
          {packageName === null ? null : `${packageName}. `}
          {state === 'active' || state === 'paused' ? (
            <MoneyLine subscription={subscription} />
          ) : expiresAt === null ? (
            'Alerts 30 seconds after Pro, at no cost.'
          ) : (
            <>
              Expires on <LongDate iso={expiresAt} />
              {state === 'canceling' && periodEnd !== null && periodEnd < expiresAt ? (
                <>
                  . Until then it renews, next on <LongDate iso={periodEnd} />
                </>
              ) : null}
            </>
          )}
        </p>
      </div>
      <PlanNotices subscription={subscription} />
      <PlanActions subscription={subscription} canChange={canChange} dialogOpen={dialogOpen} />
      {hasPaid ? <PortalForm /> : null}
    </Panel>
  );
}

interface PlanActionsProps {
  subscription: SubscriptionView;
  canChange: boolean;
  dialogOpen: boolean;
}

function PlanActions({ subscription, canChange, dialogOpen }: PlanActionsProps) {
  const { state, periodEnd, isRenewalUnpaid } = subscription;
  const { Form, result, pendingIntent } = useForms(['reactivate', 'cancel', 'change']);
  return (
    <>
      {/* An open dialog shows the refusals of its forms. */}
      <FormNotice result={result?.ok === false && dialogOpen ? null : result} />
      {state === 'canceling' && periodEnd !== null ? (
        <Form method="post" preventScrollReset className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="primary" name="intent" value="reactivate" pending={pendingIntent === 'reactivate'}>
            Reactivate
          </Button>
          <span className="text-small text-soft">
            Nothing is charged today. Pro then renews on <LongDate iso={periodEnd} />
            {renewalAmount(subscription)}, and after that until you cancel it here.
          </span>
        </Form>
      ) : null}
      {state === 'active' || state === 'past_due' ? (
        <div className="flex flex-wrap items-center gap-2.5">
          {state === 'active' && canChange ? (
            <Link to={CHANGE_DIALOG} preventScrollReset className={buttonClass()}>
              Change Plan
            </Link>
          ) : null}
          <Link to={CANCEL_DIALOG} preventScrollReset className={buttonClass()}>
            Cancel
          </Link>
          {state === 'active' || !isRenewalUnpaid ? (
            <span className="text-small text-soft">After you cancel, Pro runs until that day.</span>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

export interface SubscriptionTabFacts {
  beta: BetaAccess | null;
  /** Null: it could not be read. */
  subscription: SubscriptionView | null;
  plans: readonly SubscriptionPackage[];
  paymentHold: PaymentHold | null;
  hasPaid: boolean;
  dialogOpen: boolean;
}

/** The current plan and the plans. Without beta access, a subscription can only be cancelled. */
export function SubscriptionTab(facts: SubscriptionTabFacts) {
  const { beta, subscription, plans, paymentHold, hasPaid, dialogOpen } = facts;
  const hasBeta = beta?.approved === true;
  if (subscription === null)
    return (
      <Panel title="Current Plan">
        <LoadFailed retryPath={SUBSCRIPTION}>Your subscription could not be loaded.</LoadFailed>
      </Panel>
    );
  return (
    <div className="grid gap-7">
      {hasBeta || subscription.tier === 'pro' ? (
        <CurrentPlan
          subscription={subscription}
          canChange={hasBeta && paymentHold === null}
          hasPaid={hasPaid && paymentHold === null}
          dialogOpen={dialogOpen}
        />
      ) : null}
      {hasBeta ? (
        <PlanCards
          plans={plans}
          subscription={subscription}
          paymentHold={paymentHold}
          dialogOpen={dialogOpen}
        />
      ) : (
        <BetaRequest beta={beta} page={SUBSCRIPTION} />
      )}
    </div>
  );
}

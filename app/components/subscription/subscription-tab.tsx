import type { BetaAccess } from '#shared/beta/read-beta';
import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import type { SubscriptionPackage } from '#shared/subscriptions/packages/subscription-packages';
import { BetaRequest } from '~/components/account/beta-request';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { SUBSCRIPTION } from '~/components/payment/addresses';
import type { PaymentHold } from '~/components/payment/payment-texts';
import { CurrentPlan } from './current-plan';
import { PlanCards } from './plan-cards';

export interface SubscriptionTabFacts {
  beta: BetaAccess | null;
  /** Null: it could not be read. */
  subscription: SubscriptionView | null;
  plans: readonly SubscriptionPackage[];
  paymentHold: PaymentHold | null;
  hasPaid: boolean;
  dialogOpen: boolean;
}

/** The current plan and the plans. Without beta access nothing can be bought; what exists can still be canceled. */
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

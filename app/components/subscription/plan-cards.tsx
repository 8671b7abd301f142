import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import type { SubscriptionPackage } from '#shared/subscriptions/packages/subscription-packages';
import { formatPounds } from '#shared/money';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Badge } from '~/components/ui/badge';
import { Button, buttonClass } from '~/components/ui/button';
import { CardFoot } from '~/components/ui/card';
import { SUBSCRIPTION, withParameters } from '~/components/payment/addresses';
import { everyPeriod, isYearly, perPeriod } from '~/components/payment/plan-period';
import { PAYMENT_HOLDS, type PaymentHold } from '~/components/payment/payment-texts';

interface PlanCardsProps {
  plans: readonly SubscriptionPackage[];
  subscription: SubscriptionView;
  /** False: Stripe's variables are missing. */
  paymentHold: PaymentHold | null;
  /** A dialog is open, which shows the refusals of its forms. */
  dialogOpen: boolean;
}

/** The plans as cards, with a button each. */
export function PlanCards({ plans, subscription, paymentHold, dialogOpen }: PlanCardsProps) {
  const { Form, result, pending } = useForms(['preview']);
  return (
    <section aria-labelledby="plans" className="grid gap-4">
      <div>
        <h2 id="plans" className="text-title">
          {subscription.tier === 'pro' ? 'Plans' : 'Upgrade to Pro'}
        </h2>
        <p className="mt-1.5 max-w-[44em] text-soft">
          {paymentHold === null
            ? 'Every plan renews automatically until you cancel it on this page. After you cancel, Pro runs until the end of the period you have paid for.'
            : PAYMENT_HOLDS[paymentHold].page}
        </p>
      </div>
      <FormNotice result={result?.ok === false && !dialogOpen ? result : null} />
      {plans.length === 0 ? (
        <p className="rounded-card border border-dashed border-soft px-4 py-10 text-center text-soft">
          No subscription packages available at the moment.
        </p>
      ) : (
        <ul className="binder grid gap-3.5 sm:grid-cols-2 lg:punched">
          {plans.map((plan) => (
            <li
              key={plan.id}
              aria-current={plan.id === subscription.currentPackageId || undefined}
              className={`flex flex-col gap-3 rounded-pocket border bg-surface p-5 ${plan.id === subscription.currentPackageId ? 'border-brand' : 'border-line'}`}
            >
              <div className="flex flex-wrap items-center gap-2">
                <h3 className="mr-auto min-w-0 text-lead leading-tight wrap-anywhere">{plan.name}</h3>
                {isYearly(plan.durationDays) ? (
                  <>
                    <Badge>20% discount</Badge>
                    <Badge>Best Value</Badge>
                  </>
                ) : null}
              </div>
              <p>
                <span className="font-display text-heading leading-none font-bold tracking-[-0.02em]">
                  {formatPounds(plan.pricePence)}
                </span>{' '}
                <span className="text-soft">{perPeriod(plan.durationDays)}</span>
              </p>
              <p className="wrap-anywhere text-soft">{plan.description}</p>
              <Form method="post" preventScrollReset className="mt-auto grid gap-2 pt-1">
                <input type="hidden" name="packageId" value={plan.id} />
                <PlanAction
                  plan={plan}
                  subscription={subscription}
                  paymentHold={paymentHold}
                  pending={pending?.get('packageId') === plan.id}
                />
              </Form>
              <CardFoot>{`${plan.durationDays} days of Pro`}</CardFoot>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const Terms = ({ children }: { children: string }) => <p className="text-small text-soft">{children}</p>;

/** The button of a plan, above what it charges. */
function PlanAction({
  plan,
  subscription: { tier, state, currentPackageId },
  paymentHold,
  pending,
}: Omit<PlanCardsProps, 'plans' | 'dialogOpen'> & { plan: SubscriptionPackage; pending: boolean }) {
  const price = formatPounds(plan.pricePence);
  if (plan.id === currentPackageId)
    return <p className="flex min-h-11 items-center font-semibold">Current plan</p>;
  const label = tier === 'pro' ? 'Switch Plan' : 'Upgrade Now';
  const disabled = (text: string) => (
    <>
      <Button type="button" disabled>
        {label}
      </Button>
      <Terms>{text}</Terms>
    </>
  );
  if (paymentHold !== null) return disabled(PAYMENT_HOLDS[paymentHold].button);
  if (!plan.sellable) return disabled('This plan cannot be bought at the moment.');
  if (state === 'canceling') return disabled('Reactivate your plan first, then switch.');
  if (state === 'past_due') return disabled('Pay the amount due first, then switch.');
  if (tier === 'pro')
    return (
      <>
        <Button name="intent" value="preview" pending={pending}>
          {label}
        </Button>
        <Terms>The next step shows what is due today. Nothing is charged before you confirm.</Terms>
      </>
    );
  return (
    <>
      {/* The payment step has its own Content-Security-Policy, so it is always loaded as a document. */}
      <a href={withParameters(SUBSCRIPTION, { pay: plan.id })} className={buttonClass('primary')}>
        {label}
      </a>
      <Terms>{`${price} today, then ${price} ${everyPeriod(plan.durationDays)} until you cancel on this page. Any credit on your account is used first.`}</Terms>
    </>
  );
}

import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import { SUBSCRIPTION } from '~/components/payment/addresses';
import { PlanBadge } from '~/components/subscription/plan-badge';
import { MoneyLine } from '~/components/subscription/money-line';
import { Badge } from '~/components/ui/badge';
import { ButtonLink } from '~/components/ui/button';
import { OpenIcon } from '~/components/ui/icons';
import { LongDate } from '~/components/time/dates';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';

const FEATURES = {
  free: ['Alerts 30 seconds after Pro', 'Discord only', 'Basic checkout', 'Community support'],
  pro: ['Instant alerts', 'Priority checkout', 'Priority support', 'Advanced features'],
} as const;

interface AccountPlanProps {
  subscription: SubscriptionView | null;
  daysLeft: number | null;
}

/** The plan of a member with beta access. `subscription`: null if it could not be read; `daysLeft`: null for free. */
export function AccountPlan({ subscription, daysLeft }: AccountPlanProps) {
  if (subscription === null)
    return (
      <Panel title="Your plan">
        <LoadFailed retryPath="/dashboard">Your subscription could not be loaded.</LoadFailed>
      </Panel>
    );
  const { tier, state, expiresAt } = subscription;
  return (
    <Panel title={tier === 'pro' ? 'Pro' : 'Free'}>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid gap-2">
          <p className="flex flex-wrap gap-2">
            <PlanBadge state={state} />
            <Badge>Beta Access</Badge>
          </p>
          {expiresAt === null ? null : (
            <p className="text-soft">
              Active until <LongDate iso={expiresAt} />
            </p>
          )}
        </div>
        {daysLeft === null ? null : (
          <dl className="sm:text-right">
            <dt className="text-small text-soft">Days Remaining</dt>
            <dd className="font-display text-heading leading-none font-bold tracking-[-0.02em]">
              {daysLeft}
            </dd>
          </dl>
        )}
      </div>
      {tier === 'pro' ? (
        <p className="font-semibold">
          <MoneyLine subscription={subscription} isDue={daysLeft === 0} />
        </p>
      ) : null}
      <ul className="grid gap-2 sm:grid-cols-2">
        {FEATURES[tier].map((feature) => (
          <li key={feature} className="flex items-center gap-2">
            <span className="text-open">
              <OpenIcon />
            </span>
            {feature}
          </li>
        ))}
      </ul>
      <p className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-2">
        <ButtonLink href={SUBSCRIPTION} variant="primary">
          {tier === 'pro' ? 'Manage Subscription' : 'Upgrade to Pro'}
        </ButtonLink>
        {tier === 'pro' ? null : (
          <span className="text-small text-soft">
            <MoneyLine subscription={subscription} />
          </span>
        )}
      </p>
    </Panel>
  );
}

import { useId, type ReactNode } from 'react';
import type { BetaAccess } from '#shared/beta/read-beta';
import type { Follow } from '#shared/follows/follows';
import type { SubscriptionView } from '#shared/subscriptions/read-subscription';
import { BUY_DIALOG, SUBSCRIPTION } from '~/components/payment/addresses';
import { DownloadButton } from '~/components/downloads/download-button';
import { DownloadCard } from '~/components/downloads/download-card';
import { DownloadStatus } from '~/components/downloads/download-status';
import { CARD_ID, type Downloads } from '~/components/downloads/downloads-view';
import { FollowedShort } from '~/components/products/followed-products';
import { MoneyLine } from '~/components/subscription/money-line';
import { PlanNotices } from '~/components/subscription/plan-notices';
import { TokenBalance } from '~/components/tokens/token-balance';
import { Button, ButtonLink, buttonClass } from '~/components/ui/button';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { BetaRequest } from '../account/beta-request';
import { PlanBadge } from '~/components/subscription/plan-badge';
import { Badge } from '~/components/ui/badge';
import { OpenIcon } from '~/components/ui/icons';
import { LongDate } from '~/components/time/dates';

const FEATURES = {
  free: ['Alerts 30 seconds after Pro', 'Discord only', 'Basic checkout', 'Community support'],
  pro: ['Instant alerts', 'Priority checkout', 'Priority support', 'Advanced features'],
} as const;

interface AccountPlanProps {
  subscription: SubscriptionView | null;
  daysLeft: number | null;
}

/** The plan of a member with beta access. `subscription`: null if it could not be read; `daysLeft`: null for free. */
function AccountPlan({ subscription, daysLeft }: AccountPlanProps) {
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

const PAGE = '/dashboard';

/** The Discord community. `inviteUrl`: null if there is no invite yet. */
export interface Community {
  inviteUrl: string | null;
}

/** The dashboard's data of a member. A part that could not be read is null. */
export interface MemberFacts {
  beta: BetaAccess | null;
  subscription: SubscriptionView | null;
  balance: number | null;
  /** Null for a free member. */
  daysLeft: number | null;
  community: Community | null;
  downloads: Downloads | null;
  follows: readonly Follow[] | null;
}

/** A member's plan, tokens and community, or the request for beta access. */
export function MemberOverview({ facts }: { facts: MemberFacts }) {
  const { beta, subscription, balance, daysLeft, community, downloads, follows } = facts;
  if (beta?.approved !== true)
    return <WithoutBeta beta={beta} subscription={subscription} daysLeft={daysLeft} />;
  return (
    <div className="grid gap-5">
      {subscription === null ? null : <PlanNotices subscription={subscription} />}
      <div className="grid gap-5 lg:grid-cols-[1.5fr_1fr]">
        <AccountPlan subscription={subscription} daysLeft={daysLeft} />
        <Panel title="Token Balance">
          {balance === null ? (
            <LoadFailed retryPath={PAGE}>Your balance could not be loaded.</LoadFailed>
          ) : (
            <TokenBalance balance={balance} />
          )}
          <p className="mt-auto">
            <ButtonLink href={BUY_DIALOG}>Buy More Tokens</ButtonLink>
          </p>
        </Panel>
      </div>
      <div className="binder grid gap-3.5 sm:grid-cols-2 lg:punched">
        <QuickActions downloads={downloads} />
        <Pocket title="Products you follow" wide>
          <FollowedShort follows={follows} />
        </Pocket>
        <AlertChannels isPro={subscription?.tier === 'pro'} />
        <DiscordCommunity community={community} />
        <DesktopApp downloads={downloads} needsPro={subscription?.tier !== 'pro'} />
      </div>
    </div>
  );
}

/** A member whose beta access was revoked may still have a subscription to cancel. */
function WithoutBeta({
  beta,
  subscription,
  daysLeft,
}: Pick<MemberFacts, 'beta' | 'subscription' | 'daysLeft'>) {
  return (
    <div className="grid gap-5">
      <BetaRequest beta={beta} page={PAGE} />
      {subscription?.tier === 'pro' ? (
        <Panel title="Subscription">
          <PlanNotices subscription={subscription} />
          <p className="font-semibold">
            <MoneyLine subscription={subscription} isDue={daysLeft === 0} />
          </p>
          <p className="max-w-[40em] text-soft">
            You still have a Pro subscription. You can cancel it without beta access.
          </p>
          <p>
            <ButtonLink href={SUBSCRIPTION}>Manage Subscription</ButtonLink>
          </p>
        </Panel>
      ) : null}
    </div>
  );
}

interface PocketProps {
  title: string;
  planned?: boolean;
  /** As wide as the binder page. */
  wide?: boolean;
  /** Link targets. */
  anchor?: string;
  children: ReactNode;
}

/** A pocket with a heading. `planned`: an empty one, for features that do not exist yet. */
function Pocket({ title, planned = false, wide = false, anchor, children }: PocketProps) {
  const id = useId();
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className={`flex min-w-0 flex-col gap-2.5 rounded-pocket border p-5 ${wide ? 'sm:col-span-2' : ''} ${planned ? 'border-dashed border-soft' : 'border-line bg-surface'}`}
    >
      <h2 id={id} className="text-lead leading-tight tracking-[-0.01em]">
        {title}
      </h2>
      {children}
    </section>
  );
}

function QuickActions({ downloads }: { downloads: Downloads | null }) {
  return (
    <Pocket title="Quick Actions" wide>
      <div className="mt-1 flex flex-wrap gap-2.5">
        <ButtonLink href={BUY_DIALOG}>Purchase Tokens</ButtonLink>
        <ButtonLink href={SUBSCRIPTION}>Subscription Settings</ButtonLink>
        <DownloadButton downloads={downloads} />
      </div>
      <DownloadStatus place="button" />
    </Pocket>
  );
}

function AlertChannels({ isPro }: { isPro: boolean }) {
  return (
    <Pocket title="Where your alerts arrive">
      <p className="text-soft">
        {isPro
          ? 'In the Pro channel of our Discord community, the moment we see a waiting room.'
          : 'In the alerts channel of our Discord community, 30 seconds after Pro members.'}{' '}
        When it closes, the same message says how long it lasted.
      </p>
      <p className="text-soft">
        Switch on Discord’s notifications for that channel, so that your phone alerts you.{' '}
        {isPro
          ? 'Alerts also reach you by email and as notifications, as you choose.'
          : 'With Pro, alerts also reach you by email and as notifications.'}
      </p>
      <p className="mt-auto pt-1">
        <ButtonLink href="/account#alerts">Choose your alerts</ButtonLink>
      </p>
    </Pocket>
  );
}

function DiscordCommunity({ community }: { community: Community | null }) {
  const invite = community?.inviteUrl ?? null;
  return (
    <Pocket title="Discord Community">
      {community === null ? (
        <LoadFailed retryPath={PAGE}>The invite could not be loaded.</LoadFailed>
      ) : invite === null ? (
        <>
          <p className="text-soft">This is where alerts arrive. We are opening it to beta members soon.</p>
          <p className="mt-auto pt-1">
            <Button type="button" disabled>
              Coming Soon
            </Button>
          </p>
        </>
      ) : (
        <>
          <p className="text-soft">This is where alerts arrive. Join once with your Discord account.</p>
          <p className="mt-auto pt-1">
            <a href={invite} rel="noreferrer" className={buttonClass('primary')}>
              Join our Discord
            </a>
          </p>
        </>
      )}
    </Pocket>
  );
}

function DesktopApp({ downloads, needsPro }: { downloads: Downloads | null; needsPro: boolean }) {
  return (
    <Pocket title="Desktop app" planned={downloads?.latest === null} wide anchor={CARD_ID}>
      <DownloadCard downloads={downloads} page={PAGE} needsPro={needsPro} />
    </Pocket>
  );
}

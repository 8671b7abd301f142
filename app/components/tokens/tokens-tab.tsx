import type { BetaAccess } from '#shared/beta/read-beta';
import type { TokenPurchase } from '#shared/tokens/purchases';
import type { TokenPackage } from '#shared/tokens/token-packages';
import { BetaRequest } from '~/components/account/beta-request';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { SUBSCRIPTION, TOKENS_TAB } from '~/components/payment/addresses';
import type { PaymentHold } from '~/components/payment/payment-texts';
import { PortalForm } from '~/components/payment/portal-form';
import { TokenBalance } from './token-balance';
import { TokenPackages } from './token-packages';
import { formatPounds } from '#shared/money';
import { LongDate } from '~/components/time/dates';
import { OpenIcon, WaitingRoomIcon, WarningIcon } from '~/components/ui/icons';

interface TokensTabFacts {
  beta: BetaAccess | null;
  balance: number | null;
  packages: readonly TokenPackage[];
  purchases: readonly TokenPurchase[] | null;
  paymentHold: PaymentHold | null;
  needsPro: boolean;
  hasApp: boolean;
}

/** The balance, the packages and the latest purchases. */
export function TokensTab(facts: TokensTabFacts) {
  const { beta, balance, packages, purchases, paymentHold, needsPro, hasApp } = facts;
  if (beta?.approved !== true) return <BetaRequest beta={beta} page={TOKENS_TAB} />;
  return (
    <div className="grid gap-7">
      <Panel title="Token Balance">
        {balance === null ? (
          <LoadFailed retryPath={TOKENS_TAB}>Your balance could not be loaded.</LoadFailed>
        ) : (
          <TokenBalance balance={balance} />
        )}
      </Panel>
      <section aria-labelledby="buy-tokens" className="grid gap-4">
        <h2 id="buy-tokens" className="text-title">
          Buy Tokens
        </h2>
        <TokenPackages
          packages={packages}
          page={SUBSCRIPTION}
          parameters={{ tab: 'tokens' }}
          paymentHold={paymentHold}
          needsPro={needsPro}
          hasApp={hasApp}
        />
      </section>
      <RecentPurchases purchases={purchases} />
      {paymentHold === null && purchases !== null && purchases.length > 0 ? <PortalForm /> : null}
    </div>
  );
}

const STATUSES = {
  completed: { label: 'Completed', className: 'text-open', icon: <OpenIcon /> },
  pending: { label: 'Pending', className: 'text-unknown', icon: <WaitingRoomIcon /> },
  failed: { label: 'Failed', className: 'text-live', icon: <WarningIcon /> },
} as const;

/** The latest purchases of tokens; null if they could not be read. */
function RecentPurchases({ purchases }: { purchases: readonly TokenPurchase[] | null }) {
  return (
    <Panel title="Recent Token Purchases">
      {purchases === null ? (
        <p className="text-soft">Your purchases could not be loaded. Reload this page to try again.</p>
      ) : purchases.length === 0 ? (
        <p className="text-soft">No purchases yet. What you buy is listed here.</p>
      ) : (
        <ul className="grid divide-y divide-line">
          {purchases.map(({ id, packageName, tokenCount, amountPence, status, createdAt }) => {
            const { label, className, icon } = STATUSES[status];
            return (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3">
                <span className="min-w-0">
                  <span className="block font-semibold wrap-anywhere">{packageName}</span>
                  <span className="text-small text-soft">
                    <LongDate iso={createdAt} />, {tokenCount.toLocaleString('en-GB')} tokens
                  </span>
                </span>
                <span className="flex items-center gap-4">
                  <span className={`flex items-center gap-1.5 text-small font-semibold ${className}`}>
                    {icon}
                    {label}
                  </span>
                  <span className="font-semibold">{formatPounds(amountPence)}</span>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

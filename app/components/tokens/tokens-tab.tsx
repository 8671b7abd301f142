import type { BetaAccess } from '#shared/beta/read-beta';
import type { TokenPurchase } from '#shared/tokens/purchases';
import type { TokenPackage } from '#shared/tokens/token-packages';
import { BetaRequest } from '~/components/account/beta-request';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/panel';
import { SUBSCRIPTION, TOKENS_TAB } from '~/components/payment/addresses';
import type { PaymentHold } from '~/components/payment/payment-texts';
import { PortalForm } from '~/components/payment/portal-form';
import { RecentPurchases } from './recent-purchases';
import { TokenBalance } from './token-balance';
import { TokenPackages } from './token-packages';

export interface TokensTabFacts {
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

import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { DownloadInline } from '~/components/downloads/download-inline';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { CONFIRM_STEP, DASHBOARD, SUBSCRIPTION } from '~/components/payment/addresses';
import { CancelDialog } from '~/components/subscription/cancel-dialog';
import {
  ChoosePlanDialog,
  ConfirmChangeDialog,
  ExpiredQuoteDialog,
} from '~/components/subscription/change-dialog';
import { Outcome } from '~/components/payment/outcome';
import { SUBSCRIPTION_FAILED } from '~/components/payment/payment-texts';
import { SubscriptionTab } from '~/components/subscription/subscription-tab';
import { Tabs } from '~/components/subscription/tabs';
import { TokensTab } from '~/components/tokens/tokens-tab';
import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { signedInStyles } from '~/components/page/signed-in-styles';
import { forms, readSubscriptionPage } from '~/routes/dashboard/subscription.server';
import { PaymentPage, paymentHandle, paymentTitle } from './payment-page';

export function loader({ request }: LoaderFunctionArgs) {
  return readSubscriptionPage(request);
}

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(SUBSCRIPTION_FAILED);

export const links = signedInStyles;

export const shouldRevalidate = revalidateUnlessOffline;

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export const handle = paymentHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => paymentTitle(data, 'Subscription');

export default function Subscription() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <PaymentPage loaded={loaded}>
      {loaded.kind === 'step' ? null : <Management loaded={loaded} />}
    </PaymentPage>
  );
}

function Management({ loaded }: { loaded: Exclude<Loaded, { kind: 'step' }> }) {
  return (
    <>
      <Link to={DASHBOARD} className={LINK_BUTTON_CLASS}>
        ← Back to Dashboard
      </Link>
      <h1 className="mt-2 mb-5 text-heading">Subscription Management</h1>
      {loaded.kind === 'failed' ? (
        <Panel title="Your account">
          <LoadFailed retryPath={SUBSCRIPTION}>Failed to load user data</LoadFailed>
        </Panel>
      ) : (
        <TabbedPage loaded={loaded} />
      )}
    </>
  );
}

function TabbedPage({ loaded }: { loaded: Extract<Loaded, { kind: 'page' }> }) {
  const { tab, outcome, beta, subscription, purchases, downloads } = loaded;
  return (
    <>
      <Dialog loaded={loaded} />
      <Tabs active={tab} />
      <div className="mt-6 grid gap-6">
        {outcome === null ? null : <Outcome outcome={outcome} />}
        {loaded.stepFailure === null ? null : (
          <LoadFailed retryPath={CONFIRM_STEP}>{loaded.stepFailure}</LoadFailed>
        )}
        {tab === 'tokens' ? (
          <TokensTab {...loaded} needsPro={subscription?.tier !== 'pro'} />
        ) : (
          <SubscriptionTab
            {...loaded}
            dialogOpen={loaded.dialog !== null}
            hasPaid={subscription?.tier === 'pro' || (purchases !== null && purchases.length > 0)}
          />
        )}
        {beta?.approved === true ? <DownloadInline downloads={downloads} page={SUBSCRIPTION} /> : null}
      </div>
    </>
  );
}

function Dialog({ loaded: { dialog, subscription, plans } }: { loaded: Extract<Loaded, { kind: 'page' }> }) {
  if (dialog === null || subscription === null) return null;
  switch (dialog.kind) {
    case 'cancel':
      return <CancelDialog subscription={subscription} />;
    case 'choose':
      return <ChoosePlanDialog plans={plans} currentPackageId={subscription.currentPackageId} />;
    case 'change':
      return <ConfirmChangeDialog quote={dialog.quote} />;
    case 'expired':
      return <ExpiredQuoteDialog plan={dialog.plan} />;
  }
}

import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminOverview } from '~/components/dashboard/admin-overview';
import { MemberOverview } from '~/components/dashboard/member-overview';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { DASHBOARD } from '~/components/payment/addresses';
import { Outcome } from '~/components/payment/outcome';
import { PageDialog } from '~/components/ui/dialogs';
import { DASHBOARD_FAILED } from '~/components/payment/payment-texts';
import { TokenPackages } from '~/components/tokens/token-packages';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { forms, readDashboard } from '~/routes/dashboard/dashboard.server';
import { PaymentPage, paymentHandle, paymentTitle } from './payment-page';

export function loader({ request }: LoaderFunctionArgs) {
  return readDashboard(request);
}

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(DASHBOARD_FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export const handle = paymentHandle;

export const meta: MetaFunction<typeof loader> = ({ data }) => paymentTitle(data, 'Dashboard');

export default function Dashboard() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <PaymentPage loaded={loaded}>{loaded.kind === 'step' ? null : <Overview loaded={loaded} />}</PaymentPage>
  );
}

function Overview({ loaded }: { loaded: Exclude<Loaded, { kind: 'step' }> }) {
  return (
    <>
      <h1 className="text-heading">{loaded.kind === 'admin' ? 'Admin dashboard' : 'Account Overview'}</h1>
      {loaded.kind === 'failed' ? null : <p className="mt-2 text-soft">Welcome back, {loaded.name}.</p>}
      <div className="mt-7">
        <Content loaded={loaded} />
      </div>
    </>
  );
}

function Content({ loaded }: { loaded: Exclude<Loaded, { kind: 'step' }> }) {
  switch (loaded.kind) {
    case 'admin':
      return <AdminOverview facts={loaded.facts} />;
    case 'member':
      return <MemberPage loaded={loaded} />;
    case 'failed':
      return (
        <Panel title="Your account">
          <LoadFailed retryPath={DASHBOARD}>Failed to load user data</LoadFailed>
        </Panel>
      );
  }
}

function MemberPage({ loaded }: { loaded: Extract<Loaded, { kind: 'member' }> }) {
  const { packages, outcome, paymentHold, subscription } = loaded;
  return (
    <div className="grid gap-5">
      {packages === null ? null : (
        <PageDialog title="Buy Tokens" leaveTo={DASHBOARD}>
          <TokenPackages
            packages={packages}
            page={DASHBOARD}
            paymentHold={paymentHold}
            needsPro={subscription?.tier !== 'pro'}
            hasApp={loaded.hasApp}
            closeTo={DASHBOARD}
          />
        </PageDialog>
      )}
      {outcome === null ? null : <Outcome outcome={outcome} />}
      <MemberOverview facts={loaded} />
    </div>
  );
}

import { type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdminOverview } from '~/components/dashboard/admin-overview';
import { MemberOverview } from '~/components/dashboard/member-overview';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { DASHBOARD, NOTHING_CHOSEN } from '~/components/payment/addresses';
import { Outcome } from '~/components/payment/outcome';
import { PageDialog } from '~/components/ui/dialogs';
import { DASHBOARD_FAILED } from '~/components/payment/payment-texts';
import { TokenPackages } from '~/components/tokens/token-packages';
import { LoadFailed } from '~/components/ui/notice';
import { Panel } from '~/components/ui/card';
import { signedInStyles } from '~/components/page/signed-in-styles';
import { PaymentPage, paymentHandle, paymentTitle } from './payment-page';
import type { Viewer } from '#shared/accounts/account';
import { pageForms } from '../../http/forms/page-forms.server';
import { loadOptional } from '../../http/server/failures.server';
import { requireMember } from '../../http/auth/session.server';
import { siteSettings } from '../site/site-state.server';
import { readAdminFacts } from './admin-facts.server';
import { betaForms } from './beta-forms.server';
import { hasApp, readDownloads } from './downloads.server';
import { readFollows, readMemberFacts, readPaymentHold, readTokenPackages } from './member-facts.server';
import { tokenForms } from './payment-forms.server';
import { readPurchaseOutcome, tokenStep } from './payment-step.server';

/** What the dashboard shows: admins and members get different data. Visitors are redirected to the landing page. */
async function readDashboard(request: Request) {
  const viewer = await loadOptional(() => requireMember(request));
  if (viewer === null) return { kind: 'failed' as const };
  const { account } = viewer;
  if (account.role === 'admin')
    return { kind: 'admin' as const, name: account.username, facts: await readAdminFacts() };
  return readMemberDashboard(request, viewer);
}

async function readMemberDashboard(request: Request, viewer: Viewer) {
  const { account } = viewer;
  const search = new URL(request.url).searchParams;
  const buy = search.get('buy');
  if (buy !== null && account.beta_approved_at === null) throw redirect(DASHBOARD);
  // Before the balance; see `readOutcome`.
  const outcome = await loadOptional(() => readPurchaseOutcome(search, { account, retry: DASHBOARD }));
  const [facts, settings, packages, downloads, follows] = await Promise.all([
    readMemberFacts(account),
    loadOptional(siteSettings),
    buy === null ? null : readTokenPackages(),
    account.beta_approved_at === null ? null : readDownloads(request),
    account.beta_approved_at === null ? null : readFollows(viewer),
  ]);
  const { subscription } = facts;
  if (packages !== null && buy !== null && buy !== NOTHING_CHOSEN)
    return {
      kind: 'step' as const,
      step: tokenStep({
        packageId: buy,
        packages,
        subscription,
        hasApp: hasApp(downloads),
        leaveTo: DASHBOARD,
      }),
    };
  return {
    kind: 'member' as const,
    name: account.username,
    ...facts,
    /** Null: without beta access, or they could not be read. */
    downloads,
    follows,
    hasApp: hasApp(downloads),
    community: settings && { inviteUrl: settings.discordInviteUrl },
    /** The packages of the dialog that the address opens; null for none. */
    packages,
    paymentHold: await readPaymentHold(),
    outcome,
  };
}

const forms = pageForms(
  { path: DASHBOARD, access: requireMember, failed: DASHBOARD_FAILED },
  { ...betaForms, ...tokenForms(DASHBOARD) },
);

export function loader({ request }: LoaderFunctionArgs) {
  return readDashboard(request);
}

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(DASHBOARD_FAILED);

export const links = signedInStyles;

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

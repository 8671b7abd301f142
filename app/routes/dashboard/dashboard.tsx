import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { readBetaAccess } from '#shared/beta/read-beta';
import { requestBeta } from '#shared/beta/request-beta';
import { PRODUCT_NAME } from '#shared/brand';
import { DomainError } from '#shared/errors';
import { AdminOverview } from '~/components/admin/admin-overview';
import { LoadFailed } from '~/components/ui/notice';
import { MemberOverview } from '~/components/dashboard/member-overview';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { PageNav } from '~/components/site/page-nav';
import { Panel } from '~/components/ui/panel';
import { readAdminFacts } from '~/routes/dashboard/admin-facts.server';
import { loadOptional } from '~/http/server/failures.server';
import { noFields, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { requireMember } from '~/http/auth/session.server';
import { siteSettings } from '~/http/site/site-state.server';

const FAILED = { 'request-beta': 'Failed to request beta access. Please try again.' } as const;

/** Admins and members get different data; visitors are redirected to the landing page. Unreadable parts are null. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { db } = serverContext();
  const viewer = await loadOptional(() => requireMember(request));
  if (viewer === null) return { kind: 'unread' as const };
  const { account } = viewer;
  if (account.role === 'admin')
    return { kind: 'admin' as const, name: account.username, facts: await readAdminFacts() };
  const [beta, settings] = await Promise.all([
    loadOptional(() => readBetaAccess(db, { accountId: account.id })),
    loadOptional(siteSettings),
  ]);
  return {
    kind: 'member' as const,
    name: account.username,
    beta,
    community: settings && { inviteUrl: settings.discordInviteUrl },
  };
}

const forms = pageForms(
  { path: '/dashboard', access: requireMember, failed: FAILED },
  {
    'request-beta': {
      schema: noFields,
      async run(_, { viewer }) {
        const { db, clock } = serverContext();
        try {
          await requestBeta(db, { accountId: viewer.account.id, clock });
        } catch (error) {
          // Already requested, perhaps in another tab; the page shows that request.
          if (!(error instanceof DomainError && error.kind === 'Conflict')) throw error;
        }
      },
      refused: () => FAILED['request-beta'],
    },
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => [{ title: `Dashboard · ${PRODUCT_NAME}` }];

export default function Dashboard() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-10 outline-none">
        <h1 className="text-heading">{loaded.kind === 'admin' ? 'Admin dashboard' : 'Account Overview'}</h1>
        {loaded.kind === 'unread' ? null : <p className="mt-2 text-soft">Welcome back, {loaded.name}.</p>}
        <div className="mt-7">
          <Overview loaded={loaded} />
        </div>
      </main>
    </>
  );
}

function Overview({ loaded }: { loaded: ReturnType<typeof useLoaderData<typeof loader>> }) {
  switch (loaded.kind) {
    case 'admin':
      return <AdminOverview facts={loaded.facts} />;
    case 'member':
      return <MemberOverview beta={loaded.beta} community={loaded.community} />;
    case 'unread':
      return (
        <Panel title="Your account">
          <LoadFailed again="/dashboard">Failed to load user data</LoadFailed>
        </Panel>
      );
  }
}

import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { betaOperations } from '#shared/beta/beta-operations';
import { readBetaStats, listApprovedUsers, listPendingUsers } from '#shared/beta/read-beta';
import { AdminSection, SectionBody } from '~/components/admin/admin-section';
import {
  BetaStatCards,
  BetaTabs,
  BETA_TABS,
  type BetaTab,
  BetaUserList,
} from '~/components/admin/beta-access';
import { headingOf } from '~/components/admin/sections';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { titled } from '~/components/site/page-title';
import { loadOptional } from '~/http/server/failures.server';
import { operationForm, pageForms, textField } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';

const PAGE = '/dashboard/beta-access';
const HEADING = headingOf(PAGE);

const FAILED = { approve: 'Failed to approve user', revoke: 'Failed to revoke beta access' } as const;

function tabOf(search: URLSearchParams): BetaTab {
  return search.get('tab') === 'approved' ? 'approved' : 'pending';
}

/** The address of a tab. */
function pageOf(tab: BetaTab): string {
  return tab === 'approved' ? `${PAGE}?tab=approved` : PAGE;
}

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { db } = serverContext();
  const search = new URL(request.url).searchParams;
  const tab = tabOf(search);
  const loaded = await loadOptional(async () => ({
    stats: await readBetaStats(db),
    users: tab === 'approved' ? await listApprovedUsers(db) : await listPendingUsers(db),
  }));
  const revokeId = tab === 'approved' ? search.get('revoke') : null;
  return {
    tab,
    loaded,
    revoking: loaded?.users.find(({ id }) => id === revokeId) ?? null,
  };
}

const userForm = z.object({ id: textField });

const forms = pageForms(
  {
    path: ({ request }) => pageOf(tabOf(new URL(request.url).searchParams)),
    access: requireAdmin,
    failed: FAILED,
  },
  {
    approve: operationForm(betaOperations.approve, { schema: userForm }),
    revoke: operationForm(betaOperations.revoke, { schema: userForm }),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const meta: MetaFunction = () => titled(HEADING);

export const shouldRevalidate = revalidateUnlessOffline;

export default function BetaAccess() {
  const { tab, loaded, revoking } = useLoaderData<typeof loader>();
  return (
    <AdminSection heading={HEADING} intro="Review beta requests and manage access.">
      <SectionBody
        loaded={loaded}
        list={tab}
        retryPath={pageOf(tab)}
        failed="Failed to load beta access data"
      >
        {({ stats, users }) => (
          <div className="grid gap-6">
            <BetaStatCards stats={stats} />
            <BetaTabs page={PAGE} current={tab} />
            <section aria-label={BETA_TABS[tab]}>
              {/* The key resets the list's notices when the tab changes. */}
              <BetaUserList key={tab} tab={tab} page={pageOf(tab)} users={users} revoking={revoking} />
            </section>
          </div>
        )}
      </SectionBody>
    </AdminSection>
  );
}

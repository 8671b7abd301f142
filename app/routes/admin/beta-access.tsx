import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { readBetaStats } from '#shared/beta/beta-stats';
import { listApprovedUsers, listPendingUsers } from '#shared/beta/beta-user';
import { approveBeta, revokeBeta } from '#shared/beta/decide-beta';
import { PRODUCT_NAME } from '#shared/brand';
import { AdminSection } from '~/components/admin/admin-section';
import { BetaStatCards } from '~/components/admin/beta-stat-cards';
import { BetaTabs, BETA_TABS, type BetaTab } from '~/components/admin/beta-tabs';
import { BetaUserList } from '~/components/admin/beta-user-list';
import { SectionBody } from '~/components/admin/section-body';
import { headingOf } from '~/components/admin/sections';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { answerPageForm, doneNotice } from '~/http/forms/form-answer.server';
import { loadOrSay } from '~/http/forms/load-optional.server';
import { readPageForm } from '~/http/forms/page-form.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';
import { revalidateUnlessLost } from '~/components/forms/revalidate-unless-lost';

const PAGE = '/dashboard/beta-access';
const HEADING = headingOf(PAGE);

const FAILED = { approve: 'Failed to approve user', revoke: 'Failed to revoke beta access' } as const;
const DONE = { approved: 'User approved.', revoked: 'Beta access revoked.' } as const;

function tabOf(search: URLSearchParams): BetaTab {
  return search.get('tab') === 'approved' ? 'approved' : 'pending';
}

/** Where a tab is. */
function pageOf(tab: BetaTab): string {
  return tab === 'approved' ? `${PAGE}?tab=approved` : PAGE;
}

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { db } = serverContext();
  const search = new URL(request.url).searchParams;
  const tab = tabOf(search);
  const loaded = await loadOrSay(request, async () => ({
    stats: await readBetaStats(db),
    users: tab === 'approved' ? await listApprovedUsers(db) : await listPendingUsers(db),
  }));
  const asked = tab === 'approved' ? search.get('revoke') : null;
  return {
    tab,
    loaded,
    revoking: loaded?.users.find(({ id }) => id === asked) ?? null,
    notice: doneNotice(request, DONE),
  };
}

/** The lists' forms, told apart by their button. */
export async function action({ request }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  const form = await readPageForm(request);
  const { db, clock, mail } = serverContext();
  const decision = { accountId: form.get('id') ?? '', actor: { userId: account.id }, clock };
  return answerPageForm(request, {
    page: pageOf(tabOf(new URL(request.url).searchParams)),
    form,
    sentences: DONE,
    forms: {
      approve: {
        failed: FAILED.approve,
        async work() {
          await approveBeta(db, { ...decision, mail });
          return 'approved';
        },
      },
      revoke: {
        failed: FAILED.revoke,
        async work() {
          await revokeBeta(db, decision);
          return 'revoked';
        },
      },
    },
  });
}

export const clientAction = stayWhenLost(FAILED);

export const meta: MetaFunction = () => [{ title: `${HEADING} · ${PRODUCT_NAME}` }];

export const shouldRevalidate = revalidateUnlessLost;

export default function BetaAccess() {
  const { tab, loaded, revoking, notice } = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>() !== undefined;
  return (
    <AdminSection
      heading={HEADING}
      intro="Review beta requests and manage access."
      notice={answered ? null : notice}
    >
      <SectionBody loaded={loaded} list={tab} again={pageOf(tab)} failed="Failed to load beta access data">
        {({ stats, users }) => (
          <div className="grid gap-6">
            <BetaStatCards stats={stats} />
            <BetaTabs page={PAGE} current={tab} />
            <section aria-label={BETA_TABS[tab]}>
              {/* A list of its own per tab: what was said about one is not said about the other. */}
              <BetaUserList key={tab} tab={tab} page={pageOf(tab)} users={users} revoking={revoking} />
            </section>
          </div>
        )}
      </SectionBody>
    </AdminSection>
  );
}

import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { Viewer } from '#shared/accounts/account';
import { readBetaAccess } from '#shared/beta/read-beta-access';
import { requestBeta } from '#shared/beta/request-beta';
import { PRODUCT_NAME } from '#shared/brand';
import { AdminOverview } from '~/components/admin/admin-overview';
import { LoadFailed } from '~/components/admin/load-failed';
import type { FormOutcome } from '~/components/dashboard/form-outcome';
import { MemberOverview } from '~/components/dashboard/member-overview';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { PageNav } from '~/components/page-nav';
import { Panel } from '~/components/panel';
import { readAdminFacts } from '~/routes/dashboard/admin-facts.server';
import { failureOf } from '~/http/failures.server';
import { loadOrSay } from '~/http/forms/load-optional.server';
import { notePageFault } from '~/http/page-fault.server';
import { readPageForm, unknownIntent } from '~/http/forms/page-form.server';
import { serverContext } from '~/http/server/context.server';
import { requireMember } from '~/http/auth/session.server';
import { siteSettings } from '~/http/site/site-settings.server';

const REQUEST_FAILED = 'Failed to request beta access. Please try again.';

/** Admins and members see different things here; a visitor is sent home. A part that cannot be read says so. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { db } = serverContext();
  const viewer = await loadOrSay(request, () => requireMember(request));
  if (viewer === null) return { kind: 'unread' as const };
  const { account } = viewer;
  if (account.role === 'admin')
    return { kind: 'admin' as const, name: account.username, facts: await readAdminFacts(request) };
  const [beta, settings] = await Promise.all([
    loadOrSay(request, () => readBetaAccess(db, { accountId: account.id })),
    loadOrSay(request, siteSettings),
  ]);
  return {
    kind: 'member' as const,
    name: account.username,
    beta,
    community: settings && { inviteUrl: settings.discordInviteUrl },
  };
}

async function askForBeta(request: Request, { account }: Viewer) {
  const { db, clock } = serverContext();
  try {
    await requestBeta(db, { accountId: account.id, clock });
  } catch (error) {
    const failure = failureOf(error);
    // Asked twice, in another tab perhaps: the page shows the request that stands.
    if (failure?.status === 409) return redirect('/dashboard', 303);
    if (failure === null) notePageFault(request, error, { message: 'a beta request failed' });
    return { ok: false, message: REQUEST_FAILED } satisfies FormOutcome;
  }
  return redirect('/dashboard', 303);
}

/** A member's one form. */
export async function action({ request }: ActionFunctionArgs) {
  const viewer = await requireMember(request);
  const intent = (await readPageForm(request)).get('intent');
  if (intent === 'request-beta') return askForBeta(request, viewer);
  throw unknownIntent();
}

export const clientAction = stayWhenLost({ 'request-beta': REQUEST_FAILED });

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
  const outcome = useActionData<typeof action>() ?? null;
  switch (loaded.kind) {
    case 'admin':
      return <AdminOverview facts={loaded.facts} />;
    case 'member':
      return (
        <MemberOverview beta={loaded.beta} community={loaded.community} refused={outcome?.message ?? null} />
      );
    case 'unread':
      return (
        <Panel title="Your account">
          <LoadFailed again="/dashboard">Failed to load user data</LoadFailed>
        </Panel>
      );
  }
}

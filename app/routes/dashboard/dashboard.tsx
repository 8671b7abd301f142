import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { Viewer } from '#shared/accounts/account';
import { requestBeta } from '#shared/beta/request-beta';
import { PRODUCT_NAME } from '#shared/brand';
import { AdminOverview } from '~/components/admin/admin-overview';
import type { FormOutcome } from '~/components/dashboard/form-outcome';
import { MemberOverview } from '~/components/dashboard/member-overview';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { PageNav } from '~/components/page-nav';
import { readAdminFacts } from '~/http/admin-facts.server';
import { failureOf } from '~/http/failures.server';
import { notePageFault } from '~/http/page-fault.server';
import { readPageForm, unknownIntent } from '~/http/page-form.server';
import { serverContext } from '~/http/server-context.server';
import { requireMember } from '~/http/session.server';

const REQUEST_FAILED = 'Failed to request beta access. Please try again.';

/** Admins and members see different things here; a visitor is sent home. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { account } = await requireMember(request);
  if (account.role === 'admin')
    return { kind: 'admin' as const, name: account.username, facts: await readAdminFacts(request) };
  return {
    kind: 'member' as const,
    name: account.username,
    beta: { approved: account.beta_approved_at !== null, requestedAt: account.beta_requested_at },
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
  const outcome = useActionData<typeof action>() ?? null;
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-10 outline-none">
        <h1 className="text-heading">{loaded.kind === 'admin' ? 'Admin dashboard' : 'Account Overview'}</h1>
        <p className="mt-2 mb-7 text-soft">Welcome back, {loaded.name}.</p>
        {loaded.kind === 'admin' ? (
          <AdminOverview facts={loaded.facts} />
        ) : (
          <MemberOverview beta={loaded.beta} refused={outcome?.message ?? null} />
        )}
      </main>
    </>
  );
}

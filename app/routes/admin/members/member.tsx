import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { managedAccountOperations } from '#shared/accounts/account-operations';
import { receiptOperations } from '#shared/billing/receipt-operations';
import { DomainError } from '#shared/errors';
import { newId } from '#shared/ids';
import { grantFields } from '#shared/tokens/grant-tokens';
import { tokenOperations } from '#shared/tokens/token-operations';
import { managedDataOperations } from '#shared/personal-data/personal-data-operations';
import { AdminSection } from '~/components/admin/admin-section';
import { memberAddress, MEMBERS_PATH, type MemberQuestion } from '~/components/admin/member-addresses';
import { AccountPanel } from '~/components/admin/members/account-panel';
import { MemberAlertsPanel } from '~/components/admin/members/alerts-panel';
import { FollowsPanel } from '~/components/admin/members/follows-panel';
import { GrantDialog } from '~/components/admin/members/grant-dialog';
import { HistoryPanel } from '~/components/admin/members/history-panel';
import { QuestionDialog, type AskedQuestion } from '~/components/admin/members/member-question';
import { PlanPanel } from '~/components/admin/members/plan-panel';
import { SessionsPanel } from '~/components/admin/members/sessions-panel';
import { TokensPanel } from '~/components/admin/members/tokens-panel';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { titled } from '~/components/site/page-title';
import { Panel } from '~/components/ui/card';
import { LoadFailed } from '~/components/ui/notice';
import { requireAdmin } from '~/http/auth/session.server';
import { noFields, operationForm, pageForms, textField } from '~/http/forms/page-forms.server';
import { readMemberFacts } from './member-facts.server';

const FAILED = {
  disable: 'Failed to disable the account',
  enable: 'Failed to enable the account',
  signOut: 'Failed to sign the account out',
  endSession: 'Failed to end the session',
  grant: 'Failed to grant tokens',
  receipt: 'Failed to send the receipt',
  export: 'Failed to request the data',
  delete: 'Failed to delete the account',
} as const;

type Facts = Awaited<ReturnType<typeof readMemberFacts>>;

/** The confirmation dialog of the address, if it applies to this member. */
function questionOf(
  { searchParams }: URL,
  { account, sessions, plan }: Pick<Facts, 'account' | 'sessions' | 'plan'>,
): AskedQuestion | { ask: 'grant'; requestId: string } | null {
  const ask = searchParams.get('ask') as MemberQuestion | null;
  const of = searchParams.get('of');
  if (ask === 'disable') return account.disabledAt === null ? { ask } : null;
  if (ask === 'signOut') return { ask };
  if (ask === 'grant') return { ask, requestId: newId() };
  if (ask === 'delete') return account.deleteAfter === null && account.deletedAt === null ? { ask } : null;
  const session = sessions?.find(({ id }) => id === of);
  if (ask === 'endSession' && session !== undefined) return { ask, session };
  const receipt = plan?.receipts.find(({ id }) => id === of);
  return ask === 'receipt' && receipt !== undefined ? { ask, receipt, email: account.email } : null;
}

/** An unknown account redirects to the list. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { account: admin } = await requireAdmin(request);
  try {
    const facts = await readMemberFacts(params.id ?? '');
    const own = facts.account.id === admin.id;
    return { ...facts, own, question: own ? null : questionOf(new URL(request.url), facts) };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'NotFound') throw redirect(MEMBERS_PATH);
    throw error;
  }
}

const accountOf = ({ params }: { params: { id?: string } }) => ({ id: params.id ?? '' });

/** The form of an operation without fields: the address names the account. */
const OF_ADDRESS = {
  schema: noFields,
  input: (_: unknown, context: { params: { id?: string } }) => accountOf(context),
};

const forms = pageForms(
  { path: ({ params }) => memberAddress(params.id ?? ''), access: requireAdmin, failed: FAILED },
  {
    disable: operationForm(managedAccountOperations.disable, OF_ADDRESS),
    enable: operationForm(managedAccountOperations.enable, OF_ADDRESS),
    signOut: operationForm(managedAccountOperations.signOut, OF_ADDRESS),
    export: operationForm(managedDataOperations.requestExport, OF_ADDRESS),
    delete: operationForm(managedDataOperations.requestDeletion, OF_ADDRESS),
    endSession: operationForm(managedAccountOperations.endSession, {
      schema: z.object({ sessionId: textField }),
      input: ({ sessionId }, context) => ({ ...accountOf(context), sessionId }),
    }),
    grant: operationForm(tokenOperations.grant, {
      schema: grantFields,
      input: (fields, context) => ({ ...accountOf(context), ...fields }),
    }),
    receipt: operationForm(receiptOperations.resend, {
      schema: z.object({ receiptId: textField }),
      input: ({ receiptId }, context) => ({ ...accountOf(context), receiptId }),
    }),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => titled('Member');

export default function Member() {
  const facts = useLoaderData<typeof loader>();
  const { account, own, question, now } = facts;
  const all = useForms(Object.keys(FAILED));
  const isRefused = question !== null && all.result?.intent === question.ask && !all.result.ok;
  const lost = (title: string) => (
    <Panel title={title}>
      <LoadFailed retryPath={memberAddress(account.id)}>This could not be loaded.</LoadFailed>
    </Panel>
  );
  return (
    <AdminSection
      heading={account.username}
      intro={
        <Link to={MEMBERS_PATH} className="underline underline-offset-4 hover:text-brand">
          Find another member
        </Link>
      }
    >
      {question?.ask === 'grant' ? (
        <GrantDialog
          id={account.id}
          username={account.username}
          balance={facts.tokens?.balance ?? null}
          requestId={question.requestId}
        />
      ) : null}
      {question === null || question.ask === 'grant' ? null : (
        <QuestionDialog
          id={account.id}
          username={account.username}
          question={question}
          refusal={isRefused ? all.result : null}
          forms={all}
        />
      )}
      <div className="mb-5 empty:hidden">
        <FormNotice result={isRefused ? null : all.result} />
      </div>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="grid gap-5">
          <AccountPanel account={account} roles={facts.roles} beta={facts.beta} own={own} forms={all} />
          {facts.alerts === null ? lost('Alerts') : <MemberAlertsPanel alerts={facts.alerts} now={now} />}
          {facts.follows === null ? lost('Products they follow') : <FollowsPanel follows={facts.follows} />}
        </div>
        <div className="grid gap-5">
          {facts.plan === null ? lost('Plan') : <PlanPanel id={account.id} own={own} {...facts.plan} />}
          {facts.tokens === null ? (
            lost('Tokens')
          ) : (
            <TokensPanel id={account.id} own={own} {...facts.tokens} />
          )}
          {facts.sessions === null ? (
            lost('Sessions')
          ) : (
            <SessionsPanel id={account.id} sessions={facts.sessions} own={own} now={now} />
          )}
          {facts.history === null ? lost('History') : <HistoryPanel entries={facts.history} now={now} />}
        </div>
      </div>
    </AdminSection>
  );
}

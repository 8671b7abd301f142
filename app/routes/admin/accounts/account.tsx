import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { Link, useLoaderData, useNavigate } from '@remix-run/react';
import { useCallback } from 'react';
import { managedAccountOperations } from '#shared/accounts/account-operations';
import { readManagedAccount } from '#shared/accounts/account-status.server';
import { PRODUCT_NAME } from '#shared/brand';
import { DomainError } from '#shared/errors';
import { ManagedAccountCard } from '~/components/admin/managed-account-card';
import { accountAddress, ACCOUNTS_PATH } from '~/components/admin/account-addresses';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { requireAdmin } from '~/http/auth/session.server';
import { operationForm, noFields, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';

const FAILED = {
  disable: 'Failed to disable the account',
  enable: 'Failed to enable the account',
  signOut: 'Failed to sign the account out',
} as const;

/** An unknown account redirects to the page that finds one. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { account: admin } = await requireAdmin(request);
  const { db, clock } = serverContext();
  try {
    const account = await readManagedAccount(db, { accountId: params.id ?? '', clock });
    const asks = new URL(request.url).searchParams.get('disable') === '1';
    return { account, own: account.id === admin.id, asks: asks && account.disabledAt === null };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'NotFound') throw redirect(ACCOUNTS_PATH);
    throw error;
  }
}

/** These forms have no fields: the address names the account. */
const OF_ADDRESS = {
  schema: noFields,
  input: (_: unknown, { params }: { params: { id?: string } }) => ({ id: params.id ?? '' }),
};

const forms = pageForms(
  { path: ({ params }) => accountAddress(params.id ?? ''), access: requireAdmin, failed: FAILED },
  {
    disable: operationForm(managedAccountOperations.disable, OF_ADDRESS),
    enable: operationForm(managedAccountOperations.enable, OF_ADDRESS),
    signOut: operationForm(managedAccountOperations.signOut, OF_ADDRESS),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => [{ title: `Account · ${PRODUCT_NAME}` }];

export default function ManagedAccountPage() {
  const { account, own, asks } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const page = accountAddress(account.id);
  const leave = useCallback(
    () => navigate(page, { replace: true, preventScrollReset: true }),
    [navigate, page],
  );
  return (
    <AdminSection
      heading={account.username}
      intro={
        <Link to={ACCOUNTS_PATH} className="underline underline-offset-4 hover:text-brand">
          Find another account
        </Link>
      }
    >
      <ManagedAccountCard key={account.id} account={account} own={own} asks={asks} onLeave={leave} />
    </AdminSection>
  );
}

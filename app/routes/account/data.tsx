import type { HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Form, useLoaderData, useLocation } from '@remix-run/react';
import { formatFileSize } from '#shared/format';
import { formatUkTime } from '#shared/mail/uk-time';
import { requireExport } from '#shared/personal-data/data-exports';
import { AccountCard } from '~/components/account/account-card';
import { PageNav } from '~/components/page/page-nav';
import { signedInStyles } from '~/components/page/signed-in-styles';
import { unindexed } from '~/components/site/page-title';
import { Button, ButtonLink } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { requireMember } from '~/http/auth/session.server';
import { readLink, withLink } from '~/routes/account/mailed-link.server';

/** The page of a mailed link. A GET uses nothing up: mail scanners open every link. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { account } = await requireMember(request);
  return readLink(async () => {
    const { size, until } = await withLink(
      (db, link) => requireExport(db, { ...link, accountId: account.id }),
      request,
    );
    return { kind: 'ready' as const, size: formatFileSize(size), until: formatUkTime(until) };
  });
}

export const links = signedInStyles;

export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

export const meta: MetaFunction = () => unindexed('Your data');

export default function DataPage() {
  const loaded = useLoaderData<typeof loader>();
  const { search } = useLocation();
  return (
    <>
      <PageNav />
      {loaded.kind === 'unknown' ? (
        <AccountCard title="Your data">
          <Notice kind="error">{loaded.message}</Notice>
          <p>
            <ButtonLink href="/account#data">Your account</ButtonLink>
          </p>
        </AccountCard>
      ) : (
        <AccountCard title="Your data is ready">
          <p className="text-soft">
            One zip of {loaded.size}. The link works once, until {loaded.until}: when the download has ended,
            we delete the archive. A download that breaks off can be started again.
          </p>
          {/* The browser itself receives the file. */}
          <Form method="post" action={`/account/data/file${search}`} reloadDocument className="grid">
            <Button variant="primary" wide>
              Download
            </Button>
          </Form>
        </AccountCard>
      )}
    </>
  );
}

import type { HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { formatUkTime } from '#shared/mail/uk-time';
import { findDeletion, keepAccount } from '#shared/personal-data/request-deletion.server';
import { AccountCard } from '~/components/account/account-card';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { PageNav } from '~/components/page/page-nav';
import { unindexed } from '~/components/site/page-title';
import { Button, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { everybody, noFields, pageForms } from '~/http/forms/page-forms.server';
import { linkAddress, readLink, withLink } from '~/routes/account/mailed-link.server';

const FAILED = { keep: 'Failed to keep the account' } as const;

/** A GET changes nothing: mail scanners open every link. It shows no address: mails are forwarded. */
export function loader({ request }: LoaderFunctionArgs) {
  return readLink(async () => {
    const until = await withLink(findDeletion, request);
    return until === null
      ? { kind: 'over' as const }
      : { kind: 'pending' as const, until: formatUkTime(until) };
  });
}

const forms = pageForms(
  { path: linkAddress('/keep-account'), access: everybody, failed: FAILED },
  { keep: { schema: noFields, run: (_, { request }) => withLink(keepAccount, request) } },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

export const meta: MetaFunction = () => unindexed('Keep your account');

export default function KeepAccount() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      {loaded.kind === 'unknown' ? (
        <AccountCard title="Keep your account">
          <Notice kind="error">{loaded.message}</Notice>
        </AccountCard>
      ) : loaded.kind === 'pending' ? (
        <Ask until={loaded.until} />
      ) : (
        <AccountCard title="No deletion is pending">
          <p className="text-soft">
            Either the deletion was cancelled and you can sign in, or the account has been deleted and you can
            register again with the same address.
          </p>
          <p>
            <Link to="/login" className={LINK_BUTTON_CLASS}>
              Sign in
            </Link>
          </p>
        </AccountCard>
      )}
    </>
  );
}

function Ask({ until }: { until: string }) {
  const { Form, result, pendingIntent } = useForms(['keep']);
  return (
    <AccountCard title="Your account will be deleted">
      <FormNotice result={result} />
      <p className="text-soft">
        On {until}. Until then you can keep it, here or with the link in the email about it: your follows,
        preferences, tokens and purchases are as they were. You sign in again and allow notifications again on
        your devices. A subscription that has ended does not come back.
      </p>
      <Form method="post" className="grid">
        <Button variant="primary" name="intent" value="keep" wide pending={pendingIntent === 'keep'}>
          Keep my account
        </Button>
      </Form>
    </AccountCard>
  );
}

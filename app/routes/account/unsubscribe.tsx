import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { readPreferences } from '#shared/accounts/preferences';
import { requireUnsubscriber, unsubscribe } from '#shared/accounts/unsubscribe';
import { AccountCard } from '~/components/account/account-card';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { PageNav } from '~/components/page/page-nav';
import { unindexed } from '~/components/site/page-title';
import { Button, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { errorPage, everybody, noFields, pageForms } from '~/http/forms/page-forms.server';
import { readForm } from '~/http/forms/read-form.server';
import { isMultipart } from '~/http/forms/read-upload.server';
import { withTextFailures } from '~/http/server/failures.server';
import { linkAddress, readLink, withLink } from '~/routes/account/mailed-link.server';

const FAILED = { unsubscribe: 'Failed to unsubscribe' } as const;

/** A GET changes nothing: mail scanners open every link. It shows no address: mails are forwarded. */
export function loader({ request }: LoaderFunctionArgs) {
  return readLink(async () => {
    const { preferences } = await withLink(requireUnsubscriber, request);
    return { kind: 'known' as const, subscribed: readPreferences(preferences).alerts.email };
  });
}

const forms = pageForms(
  { path: linkAddress('/unsubscribe'), access: everybody, failed: FAILED },
  { unsubscribe: { schema: noFields, run: (_, { request }) => withLink(unsubscribe, request) } },
);

/** Mail programs read only the status and follow no redirect (RFC 8058, section 3.1). */
function answerOneClick(request: Request): Promise<Response | null> {
  return withTextFailures(async () => {
    await withLink(unsubscribe, request);
    return null;
  });
}

/** A mail program sends `List-Unsubscribe=One-Click`, in either encoding of forms (RFC 8058, section 3.2). */
export async function action(args: ActionFunctionArgs) {
  const { request } = args;
  // The page's own form is never multipart.
  if (isMultipart(request)) return answerOneClick(request);
  const fields = await readForm(request).catch((error: unknown) => {
    throw errorPage(error);
  });
  return fields.get('List-Unsubscribe') === 'One-Click'
    ? answerOneClick(request)
    : forms.actionOf(args, fields);
}

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

export const meta: MetaFunction = () => unindexed('Unsubscribe');

export default function Unsubscribe() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      {loaded.kind === 'unknown' ? (
        <AccountCard title="Unsubscribe">
          <Notice kind="error">{loaded.message}</Notice>
          <AccountLink />
        </AccountCard>
      ) : loaded.subscribed ? (
        <Ask />
      ) : (
        <AccountCard title="You are unsubscribed">
          <Notice kind="success">The address that received that email gets no more alert emails.</Notice>
          <p className="text-soft">
            Discord alerts and notifications do not change. You can switch alert emails on again at any time.
          </p>
          <AccountLink />
        </AccountCard>
      )}
    </>
  );
}

function Ask() {
  const { Form, result, pendingIntent } = useForms(['unsubscribe']);
  return (
    <AccountCard title="Unsubscribe from alert emails?">
      <FormNotice result={result} />
      <p className="text-soft">
        The address that received that email gets one the moment a waiting room opens. Discord alerts and
        notifications do not change, and receipts and codes still arrive.
      </p>
      <Form method="post" className="grid">
        <Button
          variant="primary"
          name="intent"
          value="unsubscribe"
          wide
          pending={pendingIntent === 'unsubscribe'}
        >
          Unsubscribe
        </Button>
      </Form>
      <AccountLink />
    </AccountCard>
  );
}

function AccountLink() {
  return (
    <p>
      <Link to="/account#alerts" className={LINK_BUTTON_CLASS}>
        Choose which alerts you get
      </Link>
    </p>
  );
}

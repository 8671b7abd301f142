import type { HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { describeBrowser } from '#shared/accounts/describe-device';
import { endNoticedSession, findNoticedSession } from '#shared/accounts/new-browser-notice';
import { PRODUCT_NAME } from '#shared/brand';
import { formatUkTime } from '#shared/mail/uk-time';
import { AccountCard } from '~/components/account/account-card';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { PageNav } from '~/components/page/page-nav';
import { Button, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { everybody, noFields, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { failureOf } from '~/http/server/failures.server';

const FAILED = { end: 'Failed to sign the browser out' } as const;

const tokenOf = (request: Request) => new URL(request.url).searchParams.get('token') ?? '';

/** A GET changes nothing: mail scanners open every link. It shows no address: mails are forwarded. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { db, keyring, clock } = serverContext();
  try {
    const session = await findNoticedSession(db, { keyring, token: tokenOf(request), clock });
    if (session === null) return { kind: 'ended' as const };
    const { user_agent: userAgent, created_at: signedInAt } = session;
    return {
      kind: 'open' as const,
      browser: describeBrowser(userAgent),
      time: formatUkTime(signedInAt),
    };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { kind: 'unknown' as const, message: failure.message };
  }
}

const forms = pageForms(
  {
    path: ({ request }) => `/end-session?token=${encodeURIComponent(tokenOf(request))}`,
    access: everybody,
    failed: FAILED,
  },
  {
    end: {
      schema: noFields,
      run(_, { request }) {
        const { db, keyring, clock } = serverContext();
        return endNoticedSession(db, { keyring, token: tokenOf(request), clock });
      },
    },
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

export const meta: MetaFunction = () => [
  { title: `Sign a browser out · ${PRODUCT_NAME}` },
  { name: 'robots', content: 'noindex' },
];

export default function EndSession() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      {loaded.kind === 'unknown' ? (
        <AccountCard title="Sign a browser out">
          <Notice kind="error">{loaded.message}</Notice>
          <AccountLink label="Your account" />
        </AccountCard>
      ) : loaded.kind === 'open' ? (
        <Ask {...loaded} />
      ) : (
        <AccountCard title="That browser is signed out">
          <p className="text-soft">
            If the sign-in was not yours, change your password now, and those of your mailbox and your Discord
            account if you use the same one there.
          </p>
          <AccountLink hash="#password" label="Change your password" />
        </AccountCard>
      )}
    </>
  );
}

function Ask({ browser, time }: { browser: string; time: string }) {
  const { Form, result, pendingIntent } = useForms(['end']);
  return (
    <AccountCard title="Sign that browser out?">
      <FormNotice result={result} />
      <p className="text-soft">
        {browser[0]?.toUpperCase()}
        {browser.slice(1)} signed in to your account on {time}.
      </p>
      <Form method="post" className="grid">
        <Button variant="primary" name="intent" value="end" wide pending={pendingIntent === 'end'}>
          Sign it out
        </Button>
      </Form>
      <AccountLink label="Where you are signed in" />
    </AccountCard>
  );
}

function AccountLink({ hash = '', label }: { hash?: string; label: string }) {
  return (
    <p>
      <Link to={`/account${hash}`} className={LINK_BUTTON_CLASS}>
        {label}
      </Link>
    </p>
  );
}

import type { HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { describeBrowser } from '#shared/accounts/describe-device';
import { endNoticedSessions, listNoticedSessions } from '#shared/accounts/new-browser-notice';
import { formatUkTime } from '#shared/mail/uk-time';
import { AccountCard } from '~/components/account/account-card';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { PageNav } from '~/components/page/page-nav';
import { unindexed } from '~/components/site/page-title';
import { Button, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { everybody, noFields, pageForms } from '~/http/forms/page-forms.server';
import { linkAddress, readLink, withLink } from '~/routes/account/mailed-link.server';

const FAILED = { end: 'Failed to sign the browser out' } as const;

/** A GET changes nothing: mail scanners open every link. It shows no address: mails are forwarded. */
export function loader({ request }: LoaderFunctionArgs) {
  return readLink(async () => {
    const { sessions, areSeveral } = await withLink(listNoticedSessions, request);
    if (sessions.length === 0) return { kind: 'ended' as const, areSeveral };
    return {
      kind: 'open' as const,
      areSeveral,
      signIns: sessions.map(({ id, user_agent: userAgent, created_at: signedInAt }) => ({
        id,
        browser: describeBrowser(userAgent),
        time: formatUkTime(signedInAt),
      })),
    };
  });
}

const forms = pageForms(
  { path: linkAddress('/end-session'), access: everybody, failed: FAILED },
  { end: { schema: noFields, run: (_, { request }) => withLink(endNoticedSessions, request) } },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

export const meta: MetaFunction = () => unindexed('Sign a browser out');

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
        <AccountCard
          title={loaded.areSeveral ? 'Those browsers are signed out' : 'That browser is signed out'}
        >
          <p className="text-soft">
            If {loaded.areSeveral ? 'a sign-in' : 'the sign-in'} was not yours, change your password now, and
            those of your mailbox and your Discord account if you use the same one there.
          </p>
          <AccountLink hash="#password" label="Change your password" />
        </AccountCard>
      )}
    </>
  );
}

interface AskProps {
  areSeveral: boolean;
  signIns: readonly { id: string; browser: string; time: string }[];
}

function Ask({ areSeveral, signIns }: AskProps) {
  const { Form, result, pendingIntent } = useForms(['end']);
  return (
    <AccountCard title={areSeveral ? 'Sign those browsers out?' : 'Sign that browser out?'}>
      <FormNotice result={result} />
      {signIns.map(({ id, browser, time }) => (
        <p key={id} className="text-soft">
          {browser[0]?.toUpperCase()}
          {browser.slice(1)} signed in to your account on {time}.
        </p>
      ))}
      <Form method="post" className="grid">
        <Button variant="primary" name="intent" value="end" wide pending={pendingIntent === 'end'}>
          {areSeveral ? 'Sign all of them out' : 'Sign it out'}
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

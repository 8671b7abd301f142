import type { HeadersFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { counted } from '#shared/format';
import { keepAccountUrl } from '#shared/mail/account-deletion-mail';
import { personalDataOperations } from '#shared/personal-data/personal-data-operations';
import { readUnusedDays } from '#shared/personal-data/request-deletion.server';
import { readBalance } from '#shared/tokens/token-ledger';
import { AccountCard } from '~/components/account/account-card';
import { CodeField } from '~/components/account/code-field';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useFields, useForms } from '~/components/forms/use-forms';
import { PageNav } from '~/components/page/page-nav';
import { signedInStyles } from '~/components/page/signed-in-styles';
import { titled } from '~/components/site/page-title';
import { Button, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { withoutSession } from '~/http/auth/logout.server';
import { requireMember } from '~/http/auth/session.server';
import { operationForm, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';

const FAILED = { delete: 'Failed to delete the account', code: 'Failed to send a code' } as const;
const FIELDS = ['password', 'code'] as const;

export async function loader({ request }: LoaderFunctionArgs) {
  const { account } = await requireMember(request);
  const { db, clock } = serverContext();
  return {
    email: account.email,
    hasPassword: account.password_hash !== null,
    unusedDays: await readUnusedDays(db, { accountId: account.id, now: clock.now() }),
    tokens: await readBalance(db, { accountId: account.id }),
  };
}

const forms = pageForms(
  { path: '/account/delete', access: requireMember, failed: FAILED },
  {
    delete: operationForm(personalDataOperations.requestDeletion, {
      secret: FIELDS,
      outcome({ requestedAt }, _, { request, viewer: { account } }) {
        const { keyring } = serverContext();
        const link = keepAccountUrl({ keyring, appUrl: '' }, { accountId: account.id, requestedAt });
        // The page says it, and is public.
        return { to: link, message: '', headers: withoutSession(request) };
      },
    }),
    code: operationForm(personalDataOperations.sendDeletionCode, {}),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const links = signedInStyles;

export const headers: HeadersFunction = () => ({ 'Cache-Control': 'no-store' });

export const meta: MetaFunction = () => titled('Delete your account');

const tokensOf = (count: number) => (count === 1 ? 'your token' : `your ${count} tokens`);

export default function DeleteAccount() {
  const { email, hasPassword, unusedDays, tokens } = useLoaderData<typeof loader>();
  const { Form, result, latest, pendingIntent } = useForms<unknown>(['delete', 'code']);
  const refused = latest?.intent === 'delete' ? latest : null;
  const { form, field } = useFields('delete', refused);
  return (
    <>
      <PageNav />
      <AccountCard title="Delete your account">
        <FormNotice result={result} fields={FIELDS} />
        <p className="text-soft">
          At once: you are signed out everywhere, alerts and roles on Discord end, your devices are removed,
          {unusedDays > 0
            ? ` and your subscription ends, with ${counted(unusedDays, 'paid day')} of Pro left. It cannot be restored. For a refund, write to us.`
            : ' and a subscription ends. It cannot be restored.'}
        </p>
        <p className="text-soft">
          For seven days you can cancel this with a link that we email you. Then we delete your address, your
          name, your password, your Discord account, your follows, suggestions, downloads, emails and sessions
          {tokens > 0 ? `, and ${tokensOf(tokens)} can no longer be used` : ''}. While a payment is open or
          disputed, we wait until it is settled.
        </p>
        <p className="text-soft">
          What stays, without your name: purchases, invoices and the list of changes of your tokens, which
          British tax law makes us keep for at least six years, and which nothing deletes automatically after
          that; the record of what was done with the account, for a year. Stripe keeps the invoices. Copies of
          the database from before hold what they held then, until they are deleted.
        </p>
        <p>
          <Link to="/account#data" className={LINK_BUTTON_CLASS}>
            Download your data first
          </Link>
        </p>
        <Form method="post" preventScrollReset {...form} className="grid gap-4">
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          {hasPassword ? (
            <TextField
              {...field('password')}
              label="Your password"
              type="password"
              autoComplete="current-password"
            />
          ) : null}
          <CodeField
            {...field('code')}
            label={hasPassword ? 'Or the code from the email' : 'Code from the email'}
          />
          <Button variant="primary" name="intent" value="delete" wide pending={pendingIntent === 'delete'}>
            Delete my account
          </Button>
        </Form>
        <Form method="post" preventScrollReset>
          <Button name="intent" value="code" pending={pendingIntent === 'code'}>
            Send me a code
          </Button>
        </Form>
        <p>
          <Link to="/account" className={LINK_BUTTON_CLASS}>
            Keep my account
          </Link>
        </p>
      </AccountCard>
    </>
  );
}

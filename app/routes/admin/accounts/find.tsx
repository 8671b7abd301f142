import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { z } from 'zod';
import { requireAccount } from '#shared/accounts/account';
import { emailField } from '#shared/accounts/account-fields';
import { PRODUCT_NAME } from '#shared/brand';
import { accountAddress, ACCOUNTS_PATH } from '~/components/admin/account-addresses';
import { AdminSection } from '~/components/admin/admin-section';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useFields, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { Panel } from '~/components/ui/card';
import { requireAdmin } from '~/http/auth/session.server';
import { pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';

const FAILED = { find: 'Failed to find the account' } as const;

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return null;
}

const forms = pageForms(
  { path: ACCOUNTS_PATH, access: requireAdmin, failed: FAILED },
  {
    // A form that posts: addresses must not be in URLs, which logs and browser histories keep.
    find: {
      schema: z.object({ email: emailField }),
      async run({ email }) {
        return { to: accountAddress((await requireAccount(serverContext().db, email)).id) };
      },
    },
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => [{ title: `Accounts · ${PRODUCT_NAME}` }];

export default function FindAccount() {
  const { Form, result, latest, pending } = useForms(['find']);
  const { form, fields } = useFields('find', ['email'], { result: latest });
  return (
    <AdminSection
      heading="Accounts"
      intro="Find an account by its email address, to sign it out everywhere, disable or enable it."
    >
      <div className="max-w-xl">
        <Panel title="Find an account">
          <FormNotice result={result} fields={['email']} />
          <Form method="post" {...form} className="grid gap-4">
            <TextField
              id={fields.email.id}
              name={fields.email.name}
              label="Email"
              type="email"
              autoComplete="off"
              defaultValue={fields.email.initialValue}
              errors={fields.email.errors}
            />
            <p>
              <Button variant="primary" name="intent" value="find" pending={pending !== null}>
                Find
              </Button>
            </p>
          </Form>
        </Panel>
      </div>
    </AdminSection>
  );
}

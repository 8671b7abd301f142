import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { findMembers } from '#shared/accounts/find-members';
import { counted } from '#shared/format';
import { DomainError } from '#shared/errors';
import { plainLine } from '#shared/text';
import { AdminSection } from '~/components/admin/admin-section';
import { memberAddress, memberListAddress, MEMBERS_PATH } from '~/components/admin/member-addresses';
import { MemberList } from '~/components/admin/members/member-list';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { FormNotice, useFields, useForms } from '~/components/forms/use-forms';
import { titled } from '~/components/site/page-title';
import { Button, ButtonLink } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { LoadFailed } from '~/components/ui/notice';
import { PageLinks, pageNumberOf } from '~/components/ui/page-links';
import { requireAdmin } from '~/http/auth/session.server';
import { pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';

const FAILED = { find: 'Failed to find members' } as const;

/** The longest address has 254 characters. */
const MAX_SEARCH_LENGTH = 254;

const find = (text: string, page: number) => {
  const { db, clock } = serverContext();
  return findMembers(db, { text, page, now: clock.now() });
};

/** The search is sealed in the address: logs and browser histories keep addresses, and it may be a member's mail address. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const sealed = new URL(request.url).searchParams.get('find');
  const text = sealed === null ? null : serverContext().keyring.open('member-search', sealed);
  const found = await loadOptional(() => find(text ?? '', pageNumberOf(request)));
  return { text: text ?? '', find: text === null ? null : sealed, found };
}

const forms = pageForms(
  { path: MEMBERS_PATH, access: requireAdmin, failed: FAILED },
  {
    find: {
      schema: z.object({ text: plainLine(MAX_SEARCH_LENGTH).default('') }),
      async run({ text }) {
        if (text === '') return { to: MEMBERS_PATH };
        const { members, total } = await find(text, 1);
        const [first] = members;
        if (first === undefined)
          throw new DomainError('NotFound', {
            code: 'account_not_found',
            message: `No email, name or Discord name starts with “${text}”, and it is not a Discord id.`,
          });
        if (total === 1) return { to: memberAddress(first.id) };
        const sealed = serverContext().keyring.seal('member-search', text);
        return { to: memberListAddress({ find: sealed, page: 1 }) };
      },
    },
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => titled('Members');

export default function Members() {
  const { text, find: sealed, found } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading="Members"
      intro="Find a member by the start of their email, name or Discord name, or by their Discord id."
    >
      <div className="grid max-w-3xl gap-5">
        <SearchForm key={text} text={text} />
        {found === null ? (
          <LoadFailed retryPath={MEMBERS_PATH}>Failed to load the members</LoadFailed>
        ) : (
          <>
            <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-soft">
              {counted(found.total, 'account')}
              {text === '' ? ', the newest first' : null}
              {text === '' ? null : <ButtonLink href={MEMBERS_PATH}>Show all</ButtonLink>}
            </p>
            {found.members.length === 0 ? null : <MemberList members={found.members} />}
            <PageLinks
              label="Pages of members"
              page={found.page}
              totalPages={found.totalPages}
              addressOf={(page) => memberListAddress({ find: sealed, page })}
            />
          </>
        )}
      </div>
    </AdminSection>
  );
}

function SearchForm({ text }: { text: string }) {
  const { Form, result, latest, pending } = useForms(['find']);
  const { form, field } = useFields('find', latest, { text });
  return (
    <div className="grid gap-3">
      <FormNotice result={result} fields={['text']} />
      <Form method="post" {...form} role="search" className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <TextField
            {...field('text')}
            label="Email, name or Discord"
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <Button variant="primary" name="intent" value="find" pending={pending !== null}>
          Find
        </Button>
      </Form>
    </div>
  );
}

import { z } from 'zod';
import { usernameField } from '#shared/accounts/account-fields';
import { updateProfile } from '#shared/accounts/change-account';
import { toProfile } from '#shared/accounts/profile';
import { profileSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const answer = z.object({ user: profileSchema });

const api = endpoint('/api/auth/user', {
  GET: call({
    summary: 'The caller’s own profile',
    access: 'member',
    answer,
    run: ({ caller }) => ({ user: toProfile(caller.account) }),
  }),
  PUT: call({
    summary: 'Changes what the caller may say about themselves',
    access: 'member',
    body: z.object({ profile: z.object({ username: usernameField.optional() }) }),
    answer,
    limits: ({ caller }) => [{ limit: 'accountWrite', key: caller.account.id }],
    async run({ caller, body }) {
      const { db, clock } = serverContext();
      const account = await updateProfile(db, { accountId: caller.account.id, ...body.profile, clock });
      return { user: toProfile(account) };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;

import { z } from 'zod';
import { preferencesField } from '#shared/accounts/account-fields';
import { updatePreferences } from '#shared/accounts/change-account';
import { toProfile } from '#shared/accounts/profile';
import { profileSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/auth/preferences', {
  PUT: call({
    summary: 'Merges choices into those made before',
    access: 'member',
    body: z.object({ preferences: preferencesField }),
    answer: z.object({ user: profileSchema }),
    limits: ({ caller }) => [{ limit: 'accountWrite', key: caller.account.id }],
    async run({ caller, body }) {
      const { db, clock } = serverContext();
      const { preferences } = body;
      const account = await updatePreferences(db, { accountId: caller.account.id, preferences, clock });
      return { user: toProfile(account) };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;

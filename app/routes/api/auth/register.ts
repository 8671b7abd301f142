import { z } from 'zod';
import { emailField, newPasswordField } from '#shared/accounts/account-fields';
import { messageSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { CODE_SENT, register } from '~/http/auth/login.server';

const api = endpoint('/api/auth/register', {
  POST: call({
    summary: 'Begins an account; the same answer when the address has one',
    access: 'public',
    body: z.object({ email: emailField, password: newPasswordField }),
    status: 201,
    answer: messageSchema,
    failures: [429, 503],
    async run({ request, body }) {
      await register(request, { ...body, browserKey: null });
      return { message: CODE_SENT };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;

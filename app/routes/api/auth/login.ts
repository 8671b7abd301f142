import { z } from 'zod';
import { emailField, passwordField } from '#shared/accounts/account-fields';
import { signedInSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { signedInReply } from '~/http/auth/signed-in-reply.server';
import { login } from '~/http/auth/login.server';

const api = endpoint('/api/auth/login', {
  POST: call({
    summary: 'Signs in with a password; an unconfirmed address is sent a code instead (403)',
    access: 'public',
    body: z.object({ email: emailField, password: passwordField }),
    answer: signedInSchema,
    failures: [401, 403, 429, 503],
    async run({ request, body }) {
      return signedInReply(request, await login(request, { ...body, browserKey: null }));
    },
  }),
});

export const loader = api.loader;
export const action = api.action;

import { z } from 'zod';
import { codeField, emailField } from '#shared/accounts/account-fields';
import { signedInSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { signedInReply } from '~/http/auth/signed-in-reply.server';
import { verify } from '~/http/auth/login.server';

const api = endpoint('/api/auth/verify', {
  POST: call({
    summary: 'Confirms an address with the code sent to it, and signs in',
    access: 'public',
    body: z.object({ email: emailField, code: codeField }),
    answer: signedInSchema,
    failures: [429],
    async run({ request, body }) {
      return signedInReply(request, await verify(request, { ...body, browserKey: null }));
    },
  }),
});

export const loader = api.loader;
export const action = api.action;

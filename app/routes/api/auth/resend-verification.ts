import { z } from 'zod';
import { emailField } from '#shared/accounts/account-fields';
import { messageSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { resend } from '~/http/auth/login.server';

const api = endpoint('/api/auth/resend-verification', {
  POST: call({
    summary: 'Sends another code; the same answer for an address that needs none',
    access: 'public',
    body: z.object({ email: emailField }),
    answer: messageSchema,
    failures: [429, 503],
    run: ({ request, body }) => resend(request, { ...body, browserKey: null }),
  }),
});

export const loader = api.loader;
export const action = api.action;

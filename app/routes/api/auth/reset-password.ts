import { z } from 'zod';
import { call, endpoint } from '~/http/api/endpoint.server';
import { HttpRefusal } from '~/http/failures.server';

const api = endpoint('/api/auth/reset-password', {
  POST: call({
    summary: 'Not there yet',
    access: 'public',
    answer: z.object({}),
    failures: [501],
    run: () => {
      throw new HttpRefusal({
        status: 501,
        code: 'not_implemented',
        message: 'Password reset not implemented yet',
      });
    },
  }),
});

export const loader = api.loader;
export const action = api.action;

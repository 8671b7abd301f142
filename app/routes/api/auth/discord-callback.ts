import { finishDiscord } from '~/http/auth/discord-login.server';
import { call, endpoint, redirectAnswer } from '~/http/api/endpoint.server';

const api = endpoint('/api/auth/discord/callback', {
  GET: call({
    summary: 'Where Discord’s `code` and `state` are handed in; leads to the page that says how it ended',
    access: 'public',
    status: 302,
    answer: redirectAnswer,
    run: ({ request }) => finishDiscord(request),
  }),
});

export const loader = api.loader;
export const action = api.action;

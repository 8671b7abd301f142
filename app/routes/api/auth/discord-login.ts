import { startDiscord } from '~/http/auth/discord-login.server';
import { call, endpoint, redirectAnswer } from '~/http/api/endpoint.server';

const api = endpoint('/api/auth/discord/login', {
  GET: call({
    summary: 'Sends the browser to Discord to sign in',
    access: 'public',
    status: 302,
    answer: redirectAnswer,
    run: ({ request }) => startDiscord(request),
  }),
});

export const loader = api.loader;
export const action = api.action;

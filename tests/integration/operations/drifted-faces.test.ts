import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { LIMITS } from '#shared/rate-limits';
import { createSession } from '#shared/accounts/sessions';
import { systemClock } from '#shared/clock';
import { WATCH_FAILED } from '~/components/monitor/watch-texts';
import { DASHBOARD_FAILED } from '~/components/payment/payment-texts';
import { serverContext } from '~/http/server/context.server';
import * as account from '~/routes/account/account';
import * as dashboard from '~/routes/dashboard/dashboard';
import * as watchScreen from '~/routes/admin/monitor/watch';
import { tool as monitor } from '../../../daemon/cli/monitor';
import { callApi, createApiFixture, type ApiFixture, type PersonaName } from '../api/api-fixture';
import { createRenderedSite } from '../rendered-site';

const screen = `/dashboard/monitor/${DEFAULT_WATCH_ID}`;
const site = createRenderedSite({
  '/account': account,
  '/dashboard': dashboard,
  '/dashboard/monitor/:slug': watchScreen,
});

let api: ApiFixture;
beforeEach(async () => {
  api = await createApiFixture();
});
afterEach(() => api.cleanup());

async function signIn(persona: PersonaName) {
  const { id } = await api.account(persona);
  const { token } = await createSession(api.db, { accountId: id, userAgent: null, clock: systemClock });
  return { id, token };
}

/** Uses up a limit of an account. */
const exhaust = (limit: keyof typeof LIMITS, key: string) =>
  Promise.all(
    Array.from({ length: LIMITS[limit].points }, () => serverContext().limits.take([{ limit, key }])),
  );

const TOO_MANY = 'Too many attempts.';

// Only the API counted requests for beta access, only the page the end of a session.
test('what a member writes counts against one limit, in the API and on the page', async () => {
  const { id, token } = await signIn('member');
  await exhaust('accountWrite', id);
  expect((await callApi('POST', '/api/auth/beta/request', { token })).status).toBe(429);
  expect((await callApi('DELETE', '/api/auth/sessions/other', { token })).status).toBe(429);
  const { html } = await site.post('/account', token, { intent: 'revoke', sessionId: 'other' });
  expect(html).toContain(TOO_MANY);
  const requested = await site.post('/dashboard', token, { intent: 'request-beta' });
  expect(requested.html).toContain(TOO_MANY);
  expect(requested.html).not.toContain(DASHBOARD_FAILED['request-beta']);
  const { beta_requested_at } = await api.db
    .selectFrom('users')
    .select('beta_requested_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(beta_requested_at).toBeNull();
});

test('a request with invalid input is not counted', async () => {
  const { id, token } = await signIn('member');
  await exhaust('accountWrite', id);
  const rename = (username: unknown) =>
    callApi('PUT', '/api/auth/user', { token, body: { profile: { username } } });
  expect((await rename(7)).status).toBe(422);
  expect((await rename('Ash')).status).toBe(429);
});

// A form that has a sentence for every refusal hid how long to wait, which the API says.
test.each([
  { limit: 'webhookSave', intent: 'set-webhook', field: 'webhook_url', value: 'https://discord.com/typed' },
  { limit: 'webhookTest', intent: 'test', field: 'from', value: 'bar' },
] as const)(
  'a form that answers refusals otherwise says of $limit how long to wait',
  async ({ limit, intent, field, value }) => {
    const { id, token } = await signIn('admin');
    await exhaust(limit, id);
    const { html } = await site.post(screen, token, { intent, audience: 'free', [field]: value });
    expect(html).toMatch(/Too many attempts\. Please wait \d+ seconds and try again\./);
    expect(html).not.toContain(WATCH_FAILED[intent]);
    // What was typed.
    expect(html).toContain(`value="${value}"`);
  },
);

// The pages refused admins without beta access.
test('admins have every level of access, in the API and on the page', async () => {
  const { token } = await signIn('admin');
  const body = { packageId: 'tokens-50' };
  // This site has no Stripe.
  expect((await callApi('POST', '/api/payments/create-payment-intent', { token, body })).status).toBe(503);
  const { html } = await site.post('/dashboard', token, { intent: 'start-tokens', ...body });
  expect(html).toContain('payment_unavailable');
  expect(html).not.toContain('beta_required');
});

// It was "forgotten" in the API and "deleted" on the page and the command line.
test('a removed webhook is called so in the API, on the page and on the command line', async () => {
  const { token } = await signIn('admin');
  const removed = await callApi('DELETE', '/api/pokemon-center/webhook', { token });
  expect(removed.body).toEqual({ success: true, message: 'Webhook removed.' });
  const { DATABASE_URL, SANDBOX } = process.env;
  const environment = { DATABASE_URL, SANDBOX };
  expect((await monitor(['webhook', 'delete'], environment)).stdout).toBe('Webhook removed.\n');
  const { status, leadsTo } = await site.post(screen, token, { intent: 'delete-webhook', audience: 'free' });
  expect([status, leadsTo]).toEqual([303, screen]);
});

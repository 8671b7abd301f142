import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

async function send(method: string, path: string, value?: unknown) {
  const response = await fetch(`${sandbox.origin}/control${path}`, {
    method,
    body: value === undefined ? undefined : JSON.stringify(value),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function submit(path: string, fields: Record<string, string>) {
  return fetch(`${sandbox.origin}/control${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
}

const post = (url: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"content":"open"}' });

test('the shop is switched, scripted and queried', async () => {
  expect((await send('PUT', '/shop', { mode: 'bot-wall', delayMs: 5, large: true })).body).toMatchObject({
    next: { mode: 'bot-wall', delayMs: 5, large: true },
  });
  await send('PUT', '/shop', { script: ['open', { mode: 'error', delayMs: 1 }] });
  await fetch(sandbox.shopUrl);
  const { body } = await send('GET', '/shop');
  expect(body).toMatchObject({ next: { mode: 'error' }, lastShown: 'open', requestCount: 1 });
  expect(body.requests).toHaveLength(1);
});

test('messages and requests are listed per audience and cleared', async () => {
  await post(sandbox.webhookUrl('instant'));
  await post(sandbox.webhookUrl('free'));
  expect((await send('GET', '/messages')).body.messages).toHaveLength(2);
  expect((await send('GET', '/messages?audience=free')).body.messages).toHaveLength(1);
  expect((await send('GET', '/requests?audience=instant')).body.requests).toHaveLength(1);
  await send('DELETE', '/messages');
  expect((await send('GET', '/messages')).body.messages).toEqual([]);
  expect((await send('GET', '/requests')).body.requests).toEqual([]);
});

test('a webhook is created, found by its id, and given faults', async () => {
  const made = await send('POST', '/webhooks', { audience: 'spare' });
  expect(made.status).toBe(201);
  const { url, id } = made.body as Record<string, string>;
  const faults = [{ kind: 'status', status: 500, count: 2 }];
  expect((await send('PUT', `/webhooks/${id}/faults`, { faults })).body).toEqual({ faults });
  expect((await post(url ?? '')).status).toBe(500);
  const { body } = await send('GET', '/state');
  const { webhooks } = body.discord as { webhooks: unknown[] };
  expect(webhooks).toContainEqual(
    expect.objectContaining({ id, faults: [{ kind: 'status', status: 500, count: 1 }] }),
  );
  expect((await send('PUT', '/webhooks/nobody/faults', { faults: [] })).status).toBe(404);
});

test('Scrappey and the mail server are given faults', async () => {
  await send('PUT', '/scrappey/faults', { faults: [{ kind: 'status', status: 500 }] });
  const call = await fetch(`${sandbox.scrappeyUrl}?key=${sandbox.scrappeyKey}`, {
    method: 'POST',
    body: '{}',
  });
  expect(call.status).toBe(500);

  await send('PUT', '/smtp/faults', { faults: [{ code: 451 }] });
  const transport = createTransport(sandbox.smtpUrl);
  const letter = { from: 'a@packwatch.test', to: 'b@example.test', subject: 'Hello', text: 'Hello' };
  await expect(transport.sendMail(letter)).rejects.toMatchObject({ responseCode: 451 });
  await transport.sendMail(letter);
  transport.close();
  expect((await send('GET', '/mails')).body.mails).toHaveLength(1);
  expect((await send('DELETE', '/mails')).body.mails).toEqual([]);
  expect(sandbox.mails.list()).toEqual([]);
});

test('a reset restores the initial state', async () => {
  await send('PUT', '/shop', { mode: 'error' });
  await send('PUT', '/webhooks/instant/faults', { faults: [{ kind: 'hang', persistent: true }] });
  await post(sandbox.webhookUrl('free'));
  expect((await send('POST', '/reset')).body).toMatchObject({ shop: { next: { mode: 'open' } } });
  expect((await post(sandbox.webhookUrl('instant'))).status).toBe(204);
  expect(sandbox.discord.messages('free')).toEqual([]);
});

test.each<[string, string, unknown, string]>([
  ['PUT', '/shop', { mode: 'closed' }, 'imperva-room'],
  ['PUT', '/shop', { mode: 'open', delayMs: -1 }, 'delayMs'],
  ['PUT', '/shop', { script: [] }, 'script'],
  ['PUT', '/webhooks/instant/faults', { faults: [{ kind: 'explode' }] }, 'faults: 0: kind'],
  ['PUT', '/webhooks/instant/faults', { faults: [{ kind: 'status' }] }, 'faults: 0: status'],
  ['PUT', '/webhooks/instant/faults', { faults: [{ kind: 'status', status: 200 }] }, 'faults: 0: status'],
  ['PUT', '/webhooks/instant/faults', { faults: [{ kind: 'delay', ms: 5, secs: 1 }] }, 'secs'],
  ['PUT', '/webhooks/instant/faults', {}, 'faults'],
  ['PUT', '/scrappey/faults', { faults: [{ kind: 'code', code: '9999' }] }, 'faults: 0: code'],
  ['PUT', '/smtp/faults', { faults: [{ code: 250 }] }, 'faults: 0: code'],
  ['POST', '/webhooks', { audience: '' }, 'audience'],
])('%s %s with %j is a 400 with the reason', async (method, path, value, named) => {
  const { status, body } = await send(method, path, value);
  expect(status).toBe(400);
  expect(body.message).toContain(named);
});

test('a body that is not JSON is a 400, an unknown path a 404, an unsupported method a 405', async () => {
  const broken = await fetch(`${sandbox.origin}/control/shop`, { method: 'PUT', body: '{"mode":' });
  expect([broken.status, await broken.json()]).toEqual([400, { message: 'the body is not JSON' }]);
  expect((await send('GET', '/nowhere')).status).toBe(404);
  expect((await send('PATCH', '/shop', {})).status).toBe(405);
  expect((await send('POST', '/state', {})).status).toBe(405);
});

test('a form has the effect of its JSON and redirects to the panel', async () => {
  const response = await submit('/shop', { _method: 'PUT', mode: 'error', delayMs: '20', large: 'true' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
  expect(sandbox.shop.state().next).toEqual({ mode: 'error', delayMs: 20, large: true });

  await submit('/shop', { _method: 'PUT', mode: 'open', delayMs: '' });
  expect(sandbox.shop.state().next).toEqual({ mode: 'open' });

  await submit('/webhooks/instant/faults', { _method: 'PUT', faults: '[{"kind":"status","status":500}]' });
  expect((await post(sandbox.webhookUrl('instant'))).status).toBe(500);
  await submit('/messages', { _method: 'DELETE' });
  expect(sandbox.discord.requests()).toEqual([]);
});

test('a form is validated by the same rules', async () => {
  const response = await submit('/shop', { _method: 'PUT', mode: 'closed' });
  expect(response.status).toBe(400);
});

test('JSON that curl sends as a form is read as JSON', async () => {
  const response = await fetch(`${sandbox.origin}/control/shop`, {
    method: 'PUT',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '{"mode":"error"}',
  });
  expect(response.status).toBe(200);
  expect(sandbox.shop.state().next).toEqual({ mode: 'error' });
});

test('a page of another site cannot use the control API', async () => {
  const response = await fetch(`${sandbox.origin}/control/reset`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  expect(response.status).toBe(403);
});

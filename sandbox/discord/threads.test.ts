import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const THREAD = '140000000000000201';
const hook = () => sandbox.webhookUrl('instant');

async function send(method: string, url: string, body: unknown = { content: 'open' }) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { id?: string; channel_id?: string; code?: number };
  return { status: response.status, ...answer };
}

test('a message goes to the thread that is named, and can be edited only with it', async () => {
  sandbox.discord.setChannel('instant', { threads: [{ id: THREAD }] });
  const posted = await send('POST', `${hook()}?wait=true&thread_id=${THREAD}`);
  expect(posted).toMatchObject({ status: 200, channel_id: THREAD });
  const message = `${hook()}/messages/${posted.id}`;
  expect(await send('PATCH', message)).toMatchObject({ status: 404, code: 10008 });
  expect(await send('PATCH', `${message}?thread_id=${THREAD}`)).toMatchObject({ status: 200 });
  expect(await send('POST', `${hook()}?wait=true&thread_id=1`)).toMatchObject({ status: 404, code: 10003 });
});

test('an archived thread is opened by a post and not by an edit, and a locked one refuses both', async () => {
  const inThread = `?wait=true&thread_id=${THREAD}`;
  const setState = (state: 'open' | 'archived' | 'locked') =>
    sandbox.discord.setChannel('instant', { threads: [{ id: THREAD, state }] });
  setState('archived');
  const { id } = await send('POST', hook() + inThread);
  expect(sandbox.discord.threads('instant')[0]?.state).toBe('open');
  setState('archived');
  expect(await send('PATCH', `${hook()}/messages/${id}${inThread}`)).toMatchObject({ code: 50083 });
  setState('locked');
  expect(await send('POST', hook() + inThread)).toMatchObject({ status: 400, code: 160005 });
});

test('a forum takes messages in threads only', async () => {
  sandbox.discord.setChannel('instant', { type: 'forum', threads: [{ id: THREAD }] });
  const url = `${hook()}?wait=true`;
  expect(await send('POST', url)).toMatchObject({ status: 400, code: 220001 });
  const named = { content: 'open', thread_name: 'Open' };
  expect(await send('POST', `${url}&thread_id=${THREAD}`, named)).toMatchObject({ code: 220002 });
  const posted = await send('POST', url, named);
  expect(sandbox.discord.threads('instant').map(({ id, name }) => [id, name])).toContainEqual([
    posted.channel_id,
    'Open',
  ]);
  sandbox.discord.setChannel('instant', { type: 'forum', tagRequired: true });
  expect(await send('POST', url, named)).toMatchObject({ code: 40067 });
  sandbox.discord.setChannel('instant', {});
  expect(await send('POST', url, named)).toMatchObject({ code: 220003 });
});

test('the edge blocks an address without a time to wait', async () => {
  sandbox.discord.setFaults('instant', [{ kind: 'ban' }, { kind: 'ban', as: 'json', retryAfter: 0 }]);
  const post = () =>
    fetch(hook(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"content":"open"}',
    });
  const page = await post();
  expect([page.status, page.headers.get('retry-after')]).toEqual([429, null]);
  expect(await page.text()).toContain('1015');
  const json = await post();
  expect([json.status, json.headers.get('retry-after')]).toEqual([429, '0']);
  expect(await json.json()).not.toHaveProperty('retry_after');
  expect(sandbox.discord.messages('instant')).toEqual([]);
});

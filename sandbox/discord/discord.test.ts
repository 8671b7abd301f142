import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const hook = () => sandbox.webhookUrl('instant');
const asJson = { 'content-type': 'application/json' };

function send(method: string, url: string, body: unknown) {
  return fetch(url, { method, headers: asJson, body: JSON.stringify(body) });
}

async function post(body: unknown): Promise<string> {
  const response = await send('POST', `${hook()}?wait=true`, body);
  const { id } = (await response.json()) as { id: string };
  return id;
}

async function refusalOf(response: Response) {
  return { status: response.status, ...((await response.json()) as { code: number; message: string }) };
}

test('an existing webhook is returned without a post', async () => {
  const response = await fetch(hook());
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: '1400000000000000101', type: 1, url: hook() });
  expect(sandbox.discord.messages()).toEqual([]);
});

test('with wait=true the response is the message, which is stored with its time of arrival', async () => {
  const before = Date.now();
  const response = await send('POST', `${hook()}?wait=true`, {
    username: 'Packwatch',
    content: 'open',
    embeds: [{ title: 'The waiting room is open', color: 1, timestamp: '2026-11-20T16:00:00.000Z' }],
  });
  expect(response.status).toBe(200);
  const answered = (await response.json()) as { id: string };
  expect(answered).toMatchObject({
    content: 'open',
    author: { username: 'Packwatch', bot: true },
    embeds: [{ type: 'rich', title: 'The waiting room is open' }],
    edited_timestamp: null,
  });
  expect(answered.id).toMatch(/^\d{17,20}$/);
  const [kept] = sandbox.discord.messages('instant');
  expect(kept).toMatchObject({ id: answered.id, audience: 'instant', content: 'open' });
  expect(kept?.receivedAt).toBeGreaterThan(before - 5);
  expect(kept?.receivedAt).toBeLessThan(Date.now() + 5);
});

test('without wait the response is an empty 204, and the message is stored', async () => {
  const response = await send('POST', hook(), { content: 'open' });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(sandbox.discord.messages('instant')).toHaveLength(1);
});

test('the versioned path is the same webhook', async () => {
  const versioned = hook().replace('/api/', '/api/v10/');
  expect((await send('POST', versioned, { content: 'open' })).status).toBe(204);
  expect(sandbox.discord.messages('instant')).toHaveLength(1);
});

test('ids grow with time', async () => {
  const ids = [await post({ content: 'a' }), await post({ content: 'b' })].map(BigInt);
  expect(ids[1]).toBeGreaterThan(ids[0] ?? 0n);
});

test('an edit changes only the given fields, and stores every version', async () => {
  const id = await post({ content: 'open', embeds: [{ title: 'Open' }] });
  const edited = await send('PATCH', `${hook()}/messages/${id}`, { embeds: [{ title: 'Closed' }] });
  expect(edited.status).toBe(200);
  expect(await edited.json()).toMatchObject({ content: 'open', embeds: [{ title: 'Closed' }] });
  await send('PATCH', `${hook()}/messages/${id}`, { content: null });

  const [message] = sandbox.discord.messages();
  expect(message?.original).toEqual({ content: 'open', embeds: [{ title: 'Open' }] });
  expect(message?.edits.map(({ content, embeds }) => [content, embeds[0]?.title])).toEqual([
    ['open', 'Closed'],
    ['', 'Closed'],
  ]);
  const read = await fetch(`${hook()}/messages/${id}`);
  expect(await read.json()).toMatchObject({ id, content: '', embeds: [{ title: 'Closed' }] });
});

test('an edit to an empty message is refused and changes nothing', async () => {
  const id = await post({ content: 'open' });
  const response = await send('PATCH', `${hook()}/messages/${id}`, { content: '' });
  expect(await refusalOf(response)).toMatchObject({ status: 400, code: 50006 });
  expect(sandbox.discord.messages()[0]).toMatchObject({ content: 'open', edits: [] });
});

test('a deleted message can be neither read nor edited', async () => {
  const id = await post({ content: 'open' });
  expect((await fetch(`${hook()}/messages/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await refusalOf(await fetch(`${hook()}/messages/${id}`))).toMatchObject({
    status: 404,
    code: 10008,
  });
  const edit = await send('PATCH', `${hook()}/messages/${id}`, { content: 'again' });
  expect(await refusalOf(edit)).toMatchObject({ status: 404, code: 10008 });
  expect(sandbox.discord.messages()[0]?.deletedAt).not.toBeNull();
});

test('a webhook cannot edit or delete messages of another one', async () => {
  const id = await post({ content: 'open' });
  const response = await send('PATCH', `${sandbox.webhookUrl('free')}/messages/${id}`, { content: 'mine' });
  expect(await refusalOf(response)).toMatchObject({ status: 404, code: 10008 });
});

test('an unknown webhook is a 404 and a wrong token a 401', async () => {
  const unknown = hook().replace('1400000000000000101', '1400000000000009999');
  expect(await refusalOf(await fetch(unknown))).toMatchObject({ status: 404, code: 10015 });
  expect(await refusalOf(await send('POST', `${hook()}x`, { content: 'open' }))).toMatchObject({
    status: 401,
    code: 50027,
  });
  expect(sandbox.discord.messages()).toEqual([]);
});

test('invalid JSON, another content type and a thread id are refused', async () => {
  const broken = await fetch(hook(), { method: 'POST', headers: asJson, body: '{"content":' });
  expect(await refusalOf(broken)).toMatchObject({ status: 400, code: 50109 });
  const plain = await fetch(hook(), { method: 'POST', body: '{"content":"open"}' });
  expect(await refusalOf(plain)).toMatchObject({ status: 400, code: 50035 });
  const thread = await send('POST', `${hook()}?thread_id=1`, { content: 'open' });
  expect(await refusalOf(thread)).toMatchObject({ status: 404, code: 10003 });
});

test('every request is stored, also refused ones', async () => {
  await send('POST', hook(), { content: '' });
  await send('POST', hook(), { content: 'open' });
  await fetch(sandbox.webhookUrl('free'));
  const requests = sandbox.discord.requests('instant');
  expect(requests.map(({ method, status, outcome }) => [method, status, outcome])).toEqual([
    ['POST', 400, 'answered'],
    ['POST', 204, 'answered'],
  ]);
  expect(requests[1]).toMatchObject({ audience: 'instant', body: { content: 'open' } });
  expect(sandbox.discord.requests()).toHaveLength(3);
});

test('a role is pinged only when the content marks it and allowed_mentions lets it', async () => {
  await post({ content: '<@&11> <@&22> @everyone', allowed_mentions: { parse: [], roles: ['22', '33'] } });
  await post({ content: '<@&11> @here <@7>' });
  await post({ embeds: [{ title: '<@&11>' }], allowed_mentions: { parse: ['roles'] } });
  expect(sandbox.discord.messages().map(({ pings }) => pings)).toEqual([
    { everyone: false, roles: ['22'], users: [] },
    { everyone: false, roles: [], users: ['7'] },
    { everyone: false, roles: [], users: [] },
  ]);
});

test('an added webhook has its own channel and is removed by a reset', async () => {
  const added = sandbox.discord.addWebhook('spare');
  expect((await send('POST', added.url, { content: 'open' })).status).toBe(204);
  expect(sandbox.discord.messages('spare')).toHaveLength(1);
  expect(sandbox.discord.messages('instant')).toHaveLength(0);
  sandbox.reset();
  expect((await fetch(added.url)).status).toBe(404);
});

test('the first three webhooks have the same address whenever the sandbox starts', async () => {
  const other = await startSandbox();
  const pathOf = (url: string) => new URL(url).pathname;
  expect(pathOf(other.webhookUrl('admin'))).toBe(pathOf(sandbox.webhookUrl('admin')));
  await other.close();
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';
import { FIRST_ROLES } from './guild';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const PRO = '150000000000000002';

async function call(
  method: string,
  path: string,
  { token = sandbox.discordBotToken, body = undefined as unknown } = {},
) {
  const response = await fetch(`${sandbox.discordApiUrl}${path}`, {
    method,
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as unknown),
  };
}
const guildPath = (path = '') => `/guilds/${sandbox.discordGuildId}${path}`;
const rolePath = (role: string, user = PRO) => guildPath(`/members/${user}/roles/${role}`);

test('a role is given and taken, repeatedly, and a member shows it', async () => {
  for (let time = 0; time < 2; time += 1)
    expect((await call('PUT', rolePath(FIRST_ROLES.instant))).status).toBe(204);
  expect((await call('GET', guildPath(`/members/${PRO}`))).body).toMatchObject({
    roles: [FIRST_ROLES.instant],
  });
  for (let time = 0; time < 2; time += 1)
    expect((await call('DELETE', rolePath(FIRST_ROLES.instant))).status).toBe(204);
  expect(sandbox.guild.rolesOf(PRO)).toEqual([]);
});

test('what Discord refuses is refused with its codes', async () => {
  const { moderator, instant } = FIRST_ROLES;
  const answers = [
    await call('PUT', rolePath(moderator)),
    await call('PUT', rolePath('1')),
    await call('PUT', rolePath(instant, '1')),
    await call('GET', '/guilds/1'),
    await call('GET', guildPath(), { token: 'wrong' }),
  ];
  expect(answers.map(({ status, body }) => [status, (body as { code: number }).code])).toEqual([
    [403, 50_013],
    [404, 10_011],
    [404, 10_007],
    [404, 10_004],
    [401, 0],
  ]);
  sandbox.guild.set({ canManageRoles: false, listsMembers: false });
  expect(await call('PUT', rolePath(instant))).toMatchObject({ status: 403, body: { code: 50_013 } });
  expect(await call('GET', guildPath('/members'))).toMatchObject({ status: 403, body: { code: 50_001 } });
});

test('members come in pages in the order of their ids', async () => {
  for (let number = 100; number < 105; number += 1) sandbox.guild.putMember(`9000000000000000${number}`);
  const seen: string[] = [];
  for (let after = '0'; ;) {
    const { body } = await call('GET', guildPath(`/members?limit=3&after=${after}`));
    const page = (body as { user: { id: string } }[]).map(({ user }) => user.id);
    seen.push(...page);
    if (page.length < 3) break;
    after = page.at(-1) ?? '';
  }
  expect(seen).toHaveLength(9);
  expect(new Set(seen).size).toBe(9);
});

test('changes of roles have a limit, whose headers count down; a global one stops every call', async () => {
  sandbox.guild.set({ limit: 2, windowMs: 60_000 });
  const first = await call('PUT', rolePath(FIRST_ROLES.free));
  expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
  await call('PUT', rolePath(FIRST_ROLES.free));
  const over = await call('PUT', rolePath(FIRST_ROLES.free));
  expect(over).toMatchObject({
    status: 429,
    body: { global: false, message: 'You are being rate limited.' },
  });
  expect(over.headers.get('x-ratelimit-bucket')).toBe('sandbox-guild-add');
  expect((await call('DELETE', rolePath(FIRST_ROLES.free))).status).toBe(204);

  sandbox.guild.setFaults([{ kind: 'status', status: 429, retryAfter: 30, global: true }]);
  await call('GET', guildPath());
  const stopped = await call('DELETE', rolePath(FIRST_ROLES.free));
  expect(stopped.status).toBe(429);
  expect(stopped.headers.get('x-ratelimit-global')).toBe('true');
});

test('faults apply to the named calls', async () => {
  sandbox.guild.setFaults([
    { kind: 'status', status: 503, at: ['add'] },
    { kind: 'garbage', at: ['roles'] },
  ]);
  expect((await call('GET', guildPath())).status).toBe(200);
  const response = await fetch(`${sandbox.discordApiUrl}${rolePath(FIRST_ROLES.free)}`, { method: 'PUT' });
  expect(response.status).toBe(503);
  const odd = await fetch(`${sandbox.discordApiUrl}${guildPath('/roles')}`, {
    headers: { authorization: `Bot ${sandbox.discordBotToken}` },
  });
  expect(await odd.text()).toContain('<html>');
});

test('the control API moves roles, and removes and bans members', async () => {
  const control = (method: string, path: string, value: unknown) =>
    fetch(`${sandbox.origin}/control/guild${path}`, { method, body: JSON.stringify(value) });
  await control('PUT', `/roles/${FIRST_ROLES.instant}`, { position: 5 });
  expect((await call('PUT', rolePath(FIRST_ROLES.instant))).status).toBe(403);
  await control('DELETE', `/members/${PRO}`, { ban: true });
  expect(sandbox.guild.rolesOf(PRO)).toBeNull();
  expect(sandbox.guild.state().banned).toEqual([PRO]);
  const joined = await call('PUT', guildPath(`/members/${PRO}`), { body: { access_token: 'none' } });
  expect(joined).toMatchObject({ status: 403, body: { code: 50_025 } });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { DAY, systemClock } from '#shared/clock';
import { isConstraintError } from '#shared/database/database-errors';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { createKeyring } from '#shared/secrets.server';
import { consumeTokens } from '#shared/tokens/consume-tokens';
import { endOldProxies } from '#shared/tokens/open-proxies';
import { issueProxy, type ProxyConfig } from '#shared/tokens/proxy-config.server';
import { appendEntry, readBalance } from '#shared/tokens/token-ledger';
import { serverContext } from '~/http/server/context.server';
import { callApi, createApiFixture, type ApiFixture } from './api-fixture';
import { giveTokens } from '../../paid-accounts';

const POOL = [
  'http://user:p%40ss%20word@one.test:8000',
  'https://two.test',
  'socks5://user:100%@[2001:db8::1]:1080',
];

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await createApiFixture({ PROXY_POOL: POOL.join(',') });
});
afterAll(() => fixture.cleanup());

/** A Pro member with this many tokens, and a session. */
async function memberWith(tokens: number): Promise<{ account: Account; token: string }> {
  const account = await fixture.account('pro');
  if (tokens > 0) await giveTokens(fixture.db, account.id, tokens);
  return { account, token: await fixture.signIn(account) };
}

async function consume(token: string, taskId: unknown) {
  const { status, body } = await callApi('POST', '/api/tokens/consume', { token, body: { taskId } });
  return { status, body };
}

async function readProxy(token: string, taskId: string): Promise<ProxyConfig | null> {
  const { status, body } = await callApi('GET', `/api/tokens/proxy-config?taskId=${taskId}`, { token });
  expect(status).toBe(200);
  return body.proxyConfig as ProxyConfig | null;
}

async function readUsage(token: string, query = '') {
  const { body } = await callApi('GET', `/api/tokens/usage${query}`, { token });
  return (body.usage as { taskId: string; tokens: number }[]).map(({ taskId, tokens }) => [taskId, tokens]);
}

async function balanceOf(token: string): Promise<unknown> {
  return (await callApi('GET', '/api/payments/balance', { token })).body.balance;
}

describe('consuming', () => {
  test('takes one token per task; a repeat returns the first answer and takes nothing', async () => {
    const { token } = await memberWith(3);
    expect(await consume(token, 'a')).toEqual({
      status: 200,
      body: { success: true, consumed: 1, balance: 2 },
    });
    expect((await consume(token, 'b')).body).toMatchObject({ consumed: 1, balance: 1 });
    expect((await consume(token, 'a')).body).toMatchObject({ consumed: 1, balance: 2 });
    expect(await balanceOf(token)).toBe(1);
  });

  test('takes two tokens with a managed proxy, and refuses when there is only one', async () => {
    const { account, token } = await memberWith(4);
    await readProxy(token, 'first');
    await readProxy(token, 'second');
    expect((await consume(token, 'first')).body).toMatchObject({ consumed: 2, balance: 2 });
    expect((await consume(token, 'plain')).body).toMatchObject({
      consumed: 1,
      balance: 1,
    });
    expect(await consume(token, 'second')).toEqual({
      status: 402,
      body: {
        success: false,
        code: 'insufficient_tokens',
        message: 'This attempt takes 2 tokens, and your balance is 1. You can buy tokens on your dashboard.',
      },
    });
    await giveTokens(fixture.db, account.id, 5);
    expect((await consume(token, 'second')).body).toMatchObject({ consumed: 2, balance: 4 });
    expect(await readUsage(token)).toEqual([
      ['second', 2],
      ['plain', 1],
      ['first', 2],
    ]);
  });

  test('the same task id of two members is two tasks', async () => {
    const [ash, misty] = [await memberWith(1), await memberWith(1)];
    expect((await consume(ash.token, 'shared')).body).toMatchObject({ consumed: 1, balance: 0 });
    expect((await consume(misty.token, 'shared')).body).toMatchObject({ consumed: 1, balance: 0 });
    expect(await readUsage(misty.token)).toEqual([['shared', 1]]);
  });

  test.each([
    [undefined, 'taskId is required.'],
    [7, 'taskId is a text of 1 to 100 characters.'],
    ['', 'taskId is a text of 1 to 100 characters.'],
    ['x'.repeat(101), 'taskId is a text of 1 to 100 characters.'],
    ['a b', 'taskId has no spaces and only ASCII characters.'],
    ['task\u0000', 'taskId has no spaces and only ASCII characters.'],
    ['\u0430', 'taskId has no spaces and only ASCII characters.'],
  ])('refuses the task id %j', async (taskId, message) => {
    const { token } = await memberWith(1);
    expect(await consume(token, taskId)).toEqual({
      status: 422,
      body: { success: false, code: 'invalid', message, errors: { taskId: [message] } },
    });
    expect(await balanceOf(token)).toBe(1);
  });

  test('is for members with beta access and Pro; the others keep their tokens', async () => {
    const account = await fixture.account('beta');
    await giveTokens(fixture.db, account.id, 1);
    const token = await fixture.signIn(account);
    expect(await consume(token, 'a')).toMatchObject({ status: 403, body: { code: 'desktop_required' } });
    expect(await balanceOf(token)).toBe(1);
  });

  test('stops at a balance below zero, which a refund of spent tokens leaves', async () => {
    const { account, token } = await memberWith(2);
    await consume(token, 'a');
    const { id: purchase_id } = await fixture.db
      .selectFrom('token_purchases')
      .select('id')
      .where('user_id', '=', account.id)
      .executeTakeFirstOrThrow();
    const source_id = `${purchase_id}:refunded:499`;
    const entry = { kind: 'refund', tokens: -2, purchase_id, source_id } as const;
    await inTransaction(fixture.db, (trx) =>
      appendEntry(trx, { accountId: account.id, entry, now: Date.now() }),
    );
    expect(await balanceOf(token)).toBe(-1);
    expect(await consume(token, 'b')).toMatchObject({
      status: 402,
      body: {
        message: 'This attempt takes 1 token, and your balance is -1. You can buy tokens on your dashboard.',
      },
    });
    // What the task has taken, it has.
    expect((await consume(token, 'a')).body).toMatchObject({ consumed: 1, balance: 1 });
    await giveTokens(fixture.db, account.id, 2);
    expect((await consume(token, 'b')).body).toMatchObject({ consumed: 1, balance: 0 });
  });
});

describe('usage', () => {
  test('lists the newest tasks first, fifty by default, and no purchases', async () => {
    const { account, token } = await memberWith(60);
    for (let index = 0; index < 55; index += 1)
      await consumeTokens(fixture.db, { accountId: account.id, taskId: `t${index}`, clock: systemClock });
    await giveTokens(fixture.db, account.id, 5);
    expect(await readUsage(token, '?limit=2')).toEqual([
      ['t54', 1],
      ['t53', 1],
    ]);
    expect(await readUsage(token)).toHaveLength(50);
    expect(await readUsage(token, '?limit=100')).toHaveLength(55);
    for (const limit of ['0', '101', 'all'])
      expect(await callApi('GET', `/api/tokens/usage?limit=${limit}`, { token })).toMatchObject({
        status: 400,
        body: { code: 'invalid_query' },
      });
  });
});

test('packages have their price in pounds, the cheapest first', async () => {
  const { body } = await callApi('GET', '/api/payments/packages', { token: await fixture.tokenOf('member') });
  expect(
    (body.packages as { tokenCount: number; price: number }[]).map(({ tokenCount, price }) => [
      tokenCount,
      price,
    ]),
  ).toEqual([
    [50, 4.99],
    [200, 14.99],
    [1000, 49.99],
  ]);
});

describe('managed proxies', () => {
  test('a task keeps its proxy; the next tasks get the next proxies of the pool', async () => {
    const { token } = await memberWith(12);
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
    const first: (ProxyConfig | null)[] = [];
    for (const task of tasks) first.push(await readProxy(token, task));
    const hosts = first.map((proxy) => proxy?.host ?? '');
    expect(new Set(hosts.slice(0, 3))).toEqual(new Set(['one.test', 'two.test', '2001:db8::1']));
    expect(hosts.slice(3)).toEqual(hosts.slice(0, 3));
    for (const [index, task] of tasks.entries()) expect(await readProxy(token, task)).toEqual(first[index]);

    const byHost = new Map(first.map((proxy) => [proxy?.host, { ...proxy, taskId: '' }]));
    expect(byHost.get('one.test')).toEqual({
      taskId: '',
      protocol: 'http',
      host: 'one.test',
      port: 8000,
      username: 'user',
      password: 'p@ss word',
    });
    expect(byHost.get('two.test')).toMatchObject({
      protocol: 'https',
      port: 443,
      username: null,
      password: null,
    });
    expect(byHost.get('2001:db8::1')).toMatchObject({ protocol: 'socks5', port: 1080, password: '100%' });
  });

  test('parallel requests for one task get one proxy', async () => {
    const { token } = await memberWith(2);
    const proxies = await Promise.all(Array.from({ length: 20 }, () => readProxy(token, 'one')));
    expect(new Set(proxies.map((proxy) => proxy?.host)).size).toBe(1);
  });

  test('a task that took one token without a proxy gets none, and pays no second one', async () => {
    const { token } = await memberWith(2);
    await consume(token, 'a');
    expect(await readProxy(token, 'a')).toBeNull();
    expect((await consume(token, 'a')).body).toMatchObject({ consumed: 1, balance: 1 });
  });

  test('a task keeps its proxy when the pool changes or ends; new tasks then get none', async () => {
    const { account } = await memberWith(2);
    const { db, keyring, clock } = serverContext();
    const ask = (taskId: string, proxyPool: readonly string[]) =>
      issueProxy({ db, keyring, clock, proxyPool }, { accountId: account.id, taskId });
    const given = await ask('a', ['http://old.test:8000']);
    expect(given).toMatchObject({ taskId: 'a', host: 'old.test' });
    expect(await ask('a', ['http://new.test:8000'])).toEqual(given);
    expect(await ask('a', [])).toEqual(given);
    expect(await ask('b', [])).toBeNull();
  });

  test('a stored proxy is sealed; one that no secret can open is replaced', async () => {
    const { account } = await memberWith(2);
    const { db, keyring, clock } = serverContext();
    const task = { accountId: account.id, taskId: 'a' };
    await issueProxy({ db, keyring, clock, proxyPool: ['http://u:hidden@old.test:8000'] }, task);
    const stored = await db
      .selectFrom('proxy_assignments')
      .select('sealed_proxy')
      .where('user_id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(stored.sealed_proxy).not.toMatch(/hidden|old/);
    const next = {
      db,
      keyring: createKeyring(['another secret']),
      clock,
      proxyPool: ['http://new.test:8000'],
    };
    expect(await issueProxy(next, task)).toMatchObject({ host: 'new.test' });
    expect(await issueProxy(next, task)).toMatchObject({ host: 'new.test' });
  });

  const ask = (token: string, taskId: string, headers = {}) =>
    callApi('GET', `/api/tokens/proxy-config?taskId=${taskId}`, { token, headers });

  test('two hundred tasks of an account with two tokens get one proxy', async () => {
    const { token } = await memberWith(2);
    const tasks = Array.from({ length: 200 }, (_, index) => `task-${index}`);
    // On a busy machine some wait too long for the database: 503, and the caller asks again.
    const askUntilAnswered = async (task: string) => {
      let answer = await ask(token, task);
      while (answer.status === 503) answer = await ask(token, task);
      return answer;
    };
    const answers = await Promise.all(tasks.map(askUntilAnswered));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 402)).toHaveLength(199);
    expect(answers.find(({ status }) => status === 402)?.body).toMatchObject({
      code: 'insufficient_tokens',
      message: expect.stringContaining('you need 4 tokens, but your balance is 2') as string,
    });
    // Its own task reads it again, and a proxy whose task took its tokens makes room for the next.
    const first = tasks[statuses.indexOf(200)] ?? '';
    expect((await ask(token, first)).status).toBe(200);
  });

  test('an account has six open proxies at most, whatever its balance', async () => {
    const { token } = await memberWith(100);
    for (let index = 0; index < 6; index += 1) expect((await ask(token, `task-${index}`)).status).toBe(200);
    expect(await ask(token, 'task-6')).toMatchObject({
      status: 409,
      body: { code: 'too_many_open_proxies' },
    });
    await consume(token, 'task-0');
    expect((await ask(token, 'task-6')).status).toBe(200);
    expect((await ask(token, 'task-0')).status).toBe(200);
  });

  test('a proxy that is not used for a day costs what a used one costs, and its credentials go a day later', async () => {
    const { account, token } = await memberWith(7);
    for (const task of ['used', 'unused', 'other']) await ask(token, task);
    await consume(token, 'used');
    const { db } = fixture;
    const later = (days: number) => endOldProxies(db, Date.now() + days * DAY);
    await later(0.99);
    expect(await balanceOf(token)).toBe(5);
    await later(1.01);
    expect(await balanceOf(token)).toBe(1);
    expect(await readUsage(token)).toEqual(
      expect.arrayContaining([
        ['used', 2],
        ['unused', 2],
        ['other', 2],
      ]),
    );
    // Its task has taken them, so it takes no more.
    expect((await consume(token, 'unused')).body).toMatchObject({ consumed: 2 });
    await later(2.5);
    const left = await db
      .selectFrom('proxy_assignments')
      .select('task_id')
      .where('user_id', '=', account.id)
      .execute();
    expect(left).toEqual([]);
    expect(await readProxy(token, 'unused')).toBeNull();
    expect(await balanceOf(token)).toBe(1);
  });

  test('an unused proxy takes no more than there is', async () => {
    const { token } = await memberWith(4);
    await ask(token, 'a');
    await ask(token, 'b');
    for (const task of ['c', 'd', 'e']) await consume(token, task);
    await endOldProxies(fixture.db, Date.now() + 1.01 * DAY);
    expect(await balanceOf(token)).toBe(0);
    expect((await ask(token, 'f')).status).toBe(402);
  });

  test.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ Origin: 'https://other.example' }, 403],
    [{}, 403],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ 'Sec-Fetch-Site': 'none' }, 200],
  ])('a request with the cookie and %j is answered with %d', async (headers, status) => {
    const { account, token: cookie } = await memberWith(2);
    const answer = await callApi('GET', '/api/tokens/proxy-config?taskId=a', { cookie, headers });
    expect(answer.status).toBe(status);
    const { count } = await fixture.db
      .selectFrom('proxy_assignments')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(count).toBe(status === 200 ? 1 : 0);
  });

  test('an invalid task id is refused, and a missing one', async () => {
    const { token } = await memberWith(0);
    for (const query of ['', '?taskId=', '?taskId=a%20b', `?taskId=${'x'.repeat(101)}`])
      expect(await callApi('GET', `/api/tokens/proxy-config${query}`, { token })).toMatchObject({
        status: 400,
        body: { code: 'invalid_query', errors: { taskId: [expect.stringContaining('taskId')] } },
      });
  });
});

describe('the ledger in the database', () => {
  interface Row {
    seq: number;
    previous_seq: number | null;
    tokens: number;
    balance_before: number;
    balance_after: number;
    kind: 'consume' | 'refund';
    task_id: string | null;
  }

  async function ledgerWith(tokens: number): Promise<string> {
    const account = await fixture.account('pro');
    await giveTokens(fixture.db, account.id, tokens);
    return account.id;
  }

  function insert(accountId: string, row: Row): Promise<unknown> {
    return fixture.db
      .insertInto('token_ledger')
      .values({
        id: newId(),
        user_id: accountId,
        ...row,
        purchase_id: null,
        source_id: null,
        created_at: new Date().toISOString(),
      })
      .execute();
  }

  const NEXT: Row = {
    seq: 2,
    previous_seq: 1,
    tokens: -1,
    balance_before: 10,
    balance_after: 9,
    kind: 'consume',
    task_id: 'a',
  };

  test.each<[string, Partial<Row>]>([
    ['a wrong sum', { balance_after: 8 }],
    ['a balance that the row before did not leave', { balance_before: 12, balance_after: 11 }],
    ['a gap', { seq: 3, previous_seq: 2 }],
    ['a link to a row that is not the one before', { seq: 3, previous_seq: 1 }],
    ['a second beginning', { seq: 1, previous_seq: null, balance_before: 0, balance_after: -1 }],
    ['a consumption below zero', { tokens: -11, balance_after: -1 }],
    ['a consumption that gives', { tokens: 1, balance_after: 11 }],
    ['a consumption without a task', { task_id: null }],
    ['a refund without its source', { kind: 'refund' }],
  ])('refuses %s', async (_what, wrong) => {
    const accountId = await ledgerWith(10);
    await expect(insert(accountId, { ...NEXT, ...wrong })).rejects.toSatisfy(isConstraintError);
    await insert(accountId, NEXT);
    expect(await readBalance(fixture.db, { accountId })).toBe(9);
  });

  test('refuses the same task twice, and the same source twice', async () => {
    const accountId = await ledgerWith(10);
    await insert(accountId, NEXT);
    await expect(
      insert(accountId, { ...NEXT, seq: 3, previous_seq: 2, balance_before: 9, balance_after: 8 }),
    ).rejects.toSatisfy(isConstraintError);
    const { purchase_id } = await fixture.db
      .selectFrom('token_ledger')
      .select('purchase_id')
      .where('user_id', '=', accountId)
      .where('kind', '=', 'purchase')
      .executeTakeFirstOrThrow();
    const entry = { kind: 'purchase', tokens: 10, purchase_id, source_id: purchase_id } as const;
    await expect(
      inTransaction(fixture.db, (trx) => appendEntry(trx, { accountId, entry, now: Date.now() })),
    ).rejects.toSatisfy(isConstraintError);
    expect(await readBalance(fixture.db, { accountId })).toBe(9);
  });

  test.each([
    ['an update', sql`update token_ledger set tokens = 100, balance_after = 100 where user_id = `],
    ['a deletion', sql`delete from token_ledger where user_id = `],
  ])('refuses %s', async (_what, statement) => {
    const accountId = await ledgerWith(10);
    await expect(sql`${statement}${accountId}`.execute(fixture.db)).rejects.toThrow(/append-only/);
    expect(await readBalance(fixture.db, { accountId })).toBe(10);
  });
});

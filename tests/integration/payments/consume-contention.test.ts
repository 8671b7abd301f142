import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSession } from '#shared/accounts/sessions';
import { systemClock } from '#shared/clock';
import { readBalance } from '#shared/tokens/token-ledger';
import { freshEmail } from '../api/api-fixture';
import { bundlePrograms, type BundledPrograms } from '../bundled-programs';
import { startChild, type Child } from '../child-process';
import { createTestDatabase, type TestDatabase } from '../database';
import { eventually } from '../monitor/monitor-fixture';
import { addBetaMember, giveTokens, subscribe } from '../../paid-accounts';

const PROGRAM = 'tests/integration/api/api-process.ts';
const PARALLEL = 50;

let base: TestDatabase;
let processes: Child[];
let origins: string[];
let programs: BundledPrograms;

/** Starts a process that serves the API. Returns its origin. */
async function startApi(): Promise<{ child: Child; origin: string }> {
  const child = startChild([programs.fileOf(PROGRAM)], {
    ...base.environment,
    DATA_DIR: base.folder,
    SESSION_SECRET: 'a secret of the tests, long enough',
    LOG_LEVEL: 'silent',
    PROXY_POOL: 'http://one.test:8000,http://two.test:8000',
  });
  processes.push(child);
  await eventually(() => {
    expect(child.stderr()).toBe('');
    expect(child.stdout()).toMatch(/\d+\n/);
  });
  return { child, origin: `http://127.0.0.1:${child.stdout().trim()}` };
}

beforeAll(async () => {
  base = await createTestDatabase();
  programs = await bundlePrograms([PROGRAM]);
  processes = [];
  origins = (await Promise.all([startApi(), startApi()])).map(({ origin }) => origin);
});
afterAll(async () => {
  await Promise.all(processes.map((child) => child.kill('SIGKILL')));
  programs.remove();
  await base.cleanup();
});

interface Member {
  id: string;
  token: string;
}

/** A member with desktop access and this many tokens. */
async function memberWith(tokens: number): Promise<Member> {
  const id = await addBetaMember(base.db, { email: freshEmail() });
  await subscribe(base.db, id);
  if (tokens > 0) await giveTokens(base.db, id, tokens);
  const { token } = await createSession(base.db, { accountId: id, userAgent: null, clock: systemClock });
  return { id, token };
}

interface Answer {
  task: string;
  status: number;
  body: Record<string, unknown>;
}

/** Sends the requests of these tasks at once, in turn to one process and to the other. */
function consumeAll(member: Member, tasks: readonly string[], servers = origins): Promise<Answer[]> {
  return Promise.all(
    tasks.map(async (task, index) => {
      const answer = await fetch(`${servers[index % servers.length]}/api/tokens/consume`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${member.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ taskId: task }),
      });
      return { task, status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    }),
  );
}

function freshTasks(): string[] {
  return Array.from({ length: PARALLEL }, () => randomUUID());
}

function withStatus(answers: readonly Answer[], status: number): Answer[] {
  return answers.filter((answer) => answer.status === status);
}

/** The balance, after a check that it is the sum of the ledger. */
async function balanceOf({ id }: Member): Promise<number> {
  const { total } = await base.db
    .selectFrom('token_ledger')
    .select(sql<number>`coalesce(sum(tokens), 0)`.as('total'))
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  const balance = await readBalance(base.db, { accountId: id });
  expect(balance).toBe(total);
  return balance;
}

test('fifty parallel consumptions of a balance of twenty take exactly twenty', async () => {
  const member = await memberWith(20);
  const answers = await consumeAll(member, freshTasks());
  const taken = withStatus(answers, 200);
  expect(taken.map(({ body }) => body.balance).sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 20 }, (_, index) => index),
  );
  expect(withStatus(answers, 402)).toHaveLength(30);
  expect(new Set(withStatus(answers, 402).map(({ body }) => body.code))).toEqual(
    new Set(['insufficient_tokens']),
  );
  expect(await balanceOf(member)).toBe(0);

  // A repeat has the first answer, and a refused task is refused again.
  const again = await consumeAll(
    member,
    answers.map(({ task }) => task),
  );
  expect(again.filter(({ status }) => status === 200)).toEqual(taken);
  expect(withStatus(again, 402)).toHaveLength(30);
  expect(await balanceOf(member)).toBe(0);
});

test('the same task fifty times in parallel takes once, and every answer is the same', async () => {
  const member = await memberWith(20);
  const answers = await consumeAll(member, Array<string>(PARALLEL).fill('one-task'));
  for (const { status, body } of answers)
    expect({ status, body }).toEqual({ status: 200, body: { success: true, consumed: 1, balance: 19 } });
  expect(await balanceOf(member)).toBe(19);
});

test('a purchase that is credited during fifty consumptions is spent to the last token', async () => {
  const member = await memberWith(20);
  const [answers] = await Promise.all([
    consumeAll(member, freshTasks()),
    // As soon as the first consumption is stored.
    eventually(async () =>
      expect(await readBalance(base.db, { accountId: member.id })).toBeLessThan(20),
    ).then(() => giveTokens(base.db, member.id, 10)),
  ]);
  const taken = withStatus(answers, 200).length;
  const refused = withStatus(answers, 402).map(({ task }) => task);
  expect(taken + refused.length).toBe(PARALLEL);
  expect(await balanceOf(member)).toBe(30 - taken);

  // The refused tasks try again: what is left is spent, and not a token more.
  const again = await consumeAll(member, refused);
  expect(taken + withStatus(again, 200).length).toBe(30);
  expect(withStatus(again, 402)).toHaveLength(20);
  expect(await balanceOf(member)).toBe(0);
});

test('a task that asks for its proxy and its tokens at once pays for the proxy that it got', async () => {
  const member = await memberWith(100);
  const tasks = freshTasks().slice(0, 20);
  const readProxy = async (task: string, index: number) => {
    const answer = await fetch(
      `${origins[(index + 1) % origins.length]}/api/tokens/proxy-config?taskId=${task}`,
      { headers: { Authorization: `Bearer ${member.token}` } },
    );
    // Null also for a task that came when six proxies were open.
    return ((await answer.json()) as { proxyConfig?: unknown }).proxyConfig ?? null;
  };
  const [answers, proxies] = await Promise.all([
    consumeAll(member, tasks),
    Promise.all(tasks.map(readProxy)),
  ]);
  for (const [index, { status, body }] of answers.entries()) {
    expect(status).toBe(200);
    expect(body.consumed).toBe(proxies[index] === null ? 1 : 2);
  }
  const spent = answers.reduce((sum, { body }) => sum + Number(body.consumed), 0);
  expect(await balanceOf(member)).toBe(100 - spent);
});

test('after a kill in the middle of consumptions, repeating all of them takes each once', async () => {
  const member = await memberWith(1_000);
  const { child, origin } = await startApi();
  const tasks: string[] = [];
  const answered: Answer[] = [];
  /** Sends one task after the other, until the process is gone. */
  const consumeUntilKilled = async (): Promise<void> => {
    for (;;) {
      const task = randomUUID();
      tasks.push(task);
      answered.push(...(await consumeAll(member, [task], [origin])));
    }
  };
  const lanes = Promise.allSettled(Array.from({ length: 8 }, consumeUntilKilled));
  await eventually(async () =>
    expect(await readBalance(base.db, { accountId: member.id })).toBeLessThan(990),
  );
  await child.kill('SIGKILL');
  await lanes;

  const again = await consumeAll(member, tasks);
  expect(withStatus(again, 200)).toHaveLength(tasks.length);
  for (const answer of answered) expect(again).toContainEqual(answer);
  expect(await balanceOf(member)).toBe(1_000 - tasks.length);
});

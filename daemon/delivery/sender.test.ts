import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { OutboxRow } from '#shared/outbox/outbox';
import type { DueDelivery } from '#shared/queues/catalogue';
import { createSender } from './sender';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');

function row(id: string, changes: Partial<OutboxRow> = {}): OutboxRow {
  return {
    id,
    status: 'pending',
    due_at: new Date(NOW).toISOString(),
    expires_at: new Date(NOW + 600_000).toISOString(),
    attempts: 0,
    claimed_by: null,
    claimed_until: null,
    updated_at: new Date(NOW).toISOString(),
    ...changes,
  };
}

/** A sender over an outbox that records its calls; `waiting` is the result of each attempt. */
function recordingSender({ queueIsUp = true, waiting = [] as OutboxRow[] } = {}) {
  const attempts: string[] = [];
  const jobs: DueDelivery[] = [];
  const left = [...waiting];
  const attempt = async (name: string): Promise<OutboxRow[]> => {
    attempts.push(name);
    const next = left.shift();
    return next === undefined ? [] : [next];
  };
  const sender = createSender<OutboxRow>({
    outbox: {
      attempt: (id) => attempt(id),
      attemptClaimed: ({ id }) => attempt(`${id}, claimed`),
      stop: () => undefined,
    },
    enqueue: async (due) => {
      if (!queueIsUp) throw new Error('Redis is offline');
      jobs.push(...due);
    },
    concurrency: 2,
    clock: { now: () => NOW },
    logger: pino({ level: 'silent' }),
  });
  return { sender, attempts, jobs };
}

test('every row becomes a job, and due rows are attempted at once', async () => {
  const { sender, attempts, jobs } = recordingSender();
  sender.dispatch([
    row('instant', { status: 'sending', attempts: 1, claimed_by: 'a' }),
    row('notice'),
    row('free', { due_at: new Date(NOW + 30_000).toISOString() }),
  ]);
  await sender.idle();
  expect(attempts).toEqual(['instant, claimed', 'notice']);
  await vi.waitFor(() =>
    expect(jobs).toEqual([
      { id: 'instant', attempt: 1, dueAt: NOW },
      { id: 'notice', attempt: 1, dueAt: NOW },
      { id: 'free', attempt: 1, dueAt: NOW + 30_000 },
    ]),
  );
});

test('a row that waits after its attempt becomes another job', async () => {
  const retry = row('a', { attempts: 1, due_at: new Date(NOW + 1_000).toISOString() });
  const { sender, attempts, jobs } = recordingSender({ waiting: [retry] });
  await sender.send('a');
  expect(attempts).toEqual(['a']);
  await vi.waitFor(() => expect(jobs).toEqual([{ id: 'a', attempt: 2, dueAt: NOW + 1_000 }]));
});

test('a row that is being sent is not attempted a second time', async () => {
  const { sender, attempts } = recordingSender();
  sender.dispatch([row('a', { status: 'sending', attempts: 1, claimed_by: 'a' })]);
  await Promise.all([sender.send('a'), sender.send('a')]);
  expect(attempts).toEqual(['a, claimed']);
});

test('a slow attempt leaves its slot to others, and stopping gives back what waits', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let stopped = false;
  const sender = createSender<OutboxRow>({
    outbox: {
      attempt: (id) => {
        if (stopped) return Promise.resolve([]);
        begun.push(id);
        return new Promise((resolve) => ends.set(id, () => resolve([])));
      },
      attemptClaimed: async ({ id }) => {
        begun.push(`${id}, ${stopped ? 'given back' : 'sent'}`);
        return [];
      },
      stop: () => (stopped = true),
    },
    enqueue: async () => undefined,
    concurrency: 1,
    slow: { afterMs: 10, total: 2 },
    clock: { now: () => NOW },
    logger: pino({ level: 'silent' }),
  });
  for (const id of ['a', 'b', 'c']) void sender.send(id);
  sender.dispatch([row('d', { status: 'sending', attempts: 1, claimed_by: 'a' })]);
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b']));
  const ending = sender.stop();
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'd, given back']));
  for (const end of ends.values()) end();
  await ending;
  expect(sender.isSending()).toBe(false);
});

test('due rows are attempted while the queue is unavailable', async () => {
  const { sender, attempts } = recordingSender({ queueIsUp: false });
  sender.dispatch([row('a')]);
  await sender.idle();
  expect(attempts).toEqual(['a']);
});

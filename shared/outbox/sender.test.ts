import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { SECOND } from '../clock';
import type { OutboxRow } from './define-outbox';
import type { Attempt } from './outbox-sender';
import type { Outcome } from './outcome';
import { createSlots } from './destination-limiter';
import { createSender } from './sender';

const NOW = Date.parse('2027-01-01T12:00:00.000Z');

function row(id: string, changes: Partial<OutboxRow> = {}): OutboxRow {
  const at = new Date(NOW).toISOString();
  return {
    ...{ id, status: 'pending', due_at: at, expires_at: '2027-01-01T12:10:00.000Z', attempts: 0 },
    ...{ claimed_by: null, claimed_until: null, uncertain: 0, sent_at: null, last_status: null },
    ...{ last_error: null, created_at: at, updated_at: at, ...changes },
  };
}

const claimed = (id: string) => row(id, { status: 'sending', attempts: 1, claimed_by: 'a' });
type Ended = Attempt<OutboxRow, Outcome>;

/** A sender over an outbox with these due rows that records its calls; `again`: the rows that wait after an attempt. */
function recordingSender({
  due = [],
  again = [],
  slots = { slots: 2 },
  queueIsUp = true,
  send = () => Promise.resolve(),
  written = () => Promise.resolve(),
}: {
  due?: OutboxRow[];
  again?: OutboxRow[];
  slots?: Parameters<typeof createSlots>[0];
  queueIsUp?: boolean;
  send?: (id: string) => Promise<void>;
  /** Resolves when the database accepts the outcomes. */
  written?: () => Promise<void>;
} = {}) {
  const calls: string[] = [];
  const jobs: string[] = [];
  const waiting = new Map(due.map((one) => [one.id, one]));
  let stopped = false;
  const sender = createSender<OutboxRow, Outcome, undefined, 'all'>({
    outbox: {
      listDue: async () => [...waiting.values()],
      async claim(ids) {
        const rows = ids.flatMap((id) => waiting.get(id) ?? []);
        for (const id of ids) waiting.delete(id);
        return rows;
      },
      prepare: undefined,
      async begin(one): Promise<Ended | null> {
        calls.push(stopped ? `${one.id}, given back` : one.id);
        if (stopped) return null;
        await send(one.id);
        return { row: one, outcome: { kind: 'ok' }, endedAt: NOW };
      },
      async settle() {
        await written();
        return again.splice(0);
      },
      stop: () => (stopped = true),
    },
    lanes: { all: createSlots(slots) },
    place: (rows) => rows.map(({ id }) => ({ id, lane: 'all', destination: '', isRetry: false })),
    batch: 20,
    enqueue: async (rows) => {
      if (!queueIsUp) throw new Error('Redis is offline');
      jobs.push(...rows.map(({ id }) => id));
    },
    logger: pino({ level: 'silent' }),
  });
  return { sender, calls, jobs, waiting };
}

test('every row becomes a job; claimed rows are sent at once, before those that are due', async () => {
  const { sender, calls, jobs } = recordingSender({ due: [row('notice')], slots: { slots: 1 } });
  sender.dispatch([claimed('instant'), claimed('second'), row('notice'), row('free')]);
  expect(calls).toEqual(['instant']);
  await expect.poll(() => calls).toEqual(['instant', 'second', 'notice']);
  await expect.poll(() => jobs).toEqual(['instant', 'second', 'notice', 'free']);
});

test('a row that waits after its attempt becomes another job', async () => {
  const { sender, calls, jobs } = recordingSender({ due: [row('a')], again: [row('a', { attempts: 1 })] });
  await sender.sendDue();
  await expect.poll(() => jobs).toEqual(['a']);
  expect(calls).toEqual(['a']);
});

test('a row that is being sent is not sent a second time', async () => {
  const { sender, calls } = recordingSender({ due: [row('a')] });
  await Promise.all([sender.sendDue(), sender.sendDue()]);
  await sender.idle();
  expect(calls).toEqual(['a']);
});

test('a row whose outcome waits for the database is not sent again, although its claim has expired', async () => {
  let accept: () => void = () => undefined;
  const written = () => new Promise<void>((resolve) => (accept = resolve));
  const { sender, calls, waiting } = recordingSender({ due: [row('a')], written });
  sender.dispatch([claimed('instant')]);
  await sender.sendDue();
  await expect.poll(() => calls).toEqual(['instant', 'a']);
  // A daemon that died would have left them like this.
  for (const id of ['instant', 'a', 'b']) waiting.set(id, row(id));
  const isWaiting = async () => {
    await sender.sendDue();
    return waiting.has('b');
  };
  await expect.poll(isWaiting).toBe(false);
  expect(calls).toEqual(['instant', 'a', 'b']);
  accept();
});

test('everything that is due is sent in turn, as soon as a slot is free', async () => {
  const due = Array.from({ length: 200 }, (_unused, index) => row(`row-${index}`));
  const { sender, calls } = recordingSender({ due });
  // Two at a time: a pause of 20 ms after each pair would last two seconds of the timers' clock.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let isIdle = false;
    void sender.sendDue();
    void sender.idle().then(() => (isIdle = true));
    for (let ms = 0; ms < SECOND && !isIdle; ms += 1) await vi.advanceTimersByTimeAsync(1);
    expect(isIdle).toBe(true);
  } finally {
    vi.useRealTimers();
  }
  expect(calls).toEqual(due.map(({ id }) => id));
});

test('a slow attempt leaves its slot to others, and stopping gives back what waits', async () => {
  const ends: (() => void)[] = [];
  const { sender, calls } = recordingSender({
    due: [row('a'), row('b'), row('c')],
    slots: { slots: 1, total: 2, slowAfterMs: 10 },
    send: () => new Promise((resolve) => ends.push(resolve)),
  });
  await sender.sendDue();
  await expect.poll(() => calls).toEqual(['a', 'b']);
  sender.dispatch([claimed('d')]);
  const ending = sender.stop();
  await expect.poll(() => calls).toEqual(['a', 'b', 'd, given back']);
  for (const end of ends) end();
  await ending;
  expect(sender.isSending()).toBe(false);
});

test('due rows are sent while the queue is unavailable', async () => {
  const { sender, calls } = recordingSender({ due: [row('a')], queueIsUp: false });
  sender.dispatch([row('a')]);
  await sender.idle();
  expect(calls).toEqual(['a']);
});

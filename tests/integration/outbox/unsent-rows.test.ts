import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromIso, HOUR, MINUTE, toIso } from '#shared/clock';
import { ConnectionFault } from '#shared/database/postgres/connection-fault';
import { inTransaction } from '#shared/database/transaction';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { addMail, mailOutbox } from '#shared/mail/mails';
import { createOutboxSender } from '#shared/outbox/outbox-sender';
import type { Outcome } from '#shared/outbox/outcome';
import { createTestDatabase, type TestDatabase } from '../database';
import { attempt } from '../../attempt';

const START = Date.parse('2027-01-15T12:00:00Z');

let test: TestDatabase;
let now: number;
let id: string;
let sent: string[];

beforeEach(async () => {
  test = await createTestDatabase();
  now = START;
  sent = [];
  const mail = { to: 'ann@example.org', template: 'already_registered', expiresAt: START + HOUR } as const;
  ({ id } = await inTransaction(test.db, (trx) => addMail(trx, mail, START)));
});
afterEach(() => test.cleanup());

interface Steps {
  /** The data that several attempts share. */
  prepare?: () => Promise<undefined>;
  outcome?: Outcome;
  /** Changes what the outcomes write. */
  adjust?: () => Promise<never>;
  /** The effects of these rows' outcomes. */
  follow?: (ids: readonly string[]) => Promise<void>;
  handleClockStep?: () => Promise<void>;
}

/** A sender of mails. `read`: what an attempt reads before it sends. */
function senderOf(
  read: () => Promise<void>,
  { prepare, outcome = { kind: 'ok' }, adjust, follow, handleClockStep }: Steps = {},
) {
  return createOutboxSender<'mails', Outcome>(
    {
      db: test.db,
      clock: { now: () => now },
      logger: pino({ level: 'silent' }),
      owner: 'test',
      outcomes: createWriteRetrier({ onWait: () => undefined }),
      ...(handleClockStep !== undefined && { handleClockStep }),
    },
    {
      outbox: mailOutbox,
      ...(prepare !== undefined && { prepare }),
      async send(row) {
        await read();
        sent.push(row.id);
        return outcome;
      },
      ...(adjust !== undefined && { adjust }),
      ...(follow !== undefined && {
        async follow(_trx, attempts) {
          await follow(attempts.map(({ row }) => row.id));
          return undefined;
        },
      }),
      describe: () => ({}),
    },
  );
}

const readRow = () =>
  test.db
    .selectFrom('mails')
    .select(['status', 'attempts', 'uncertain', 'claimed_by'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const readError = async () =>
  (await test.db.selectFrom('mails').select('last_error').where('id', '=', id).executeTakeFirstOrThrow())
    .last_error;
const WAITS = { status: 'pending', attempts: 0, uncertain: 0, claimed_by: null };

const away = () => Promise.reject(new ConnectionFault(new Error('the server restarts')));

// Such claims once expired and counted as messages without an answer; after two of them, an alert was never sent.
it.each(['the attempt', 'the preparation'])(
  'a row is given back when the database fails in %s, before anything was sent, however often',
  async (step) => {
    const failing =
      step === 'the attempt' ? senderOf(away) : senderOf(() => Promise.resolve(), { prepare: away });
    for (let outage = 0; outage < 3; outage += 1) {
      await expect(attempt(failing, id)).rejects.toThrow('the server restarts');
      expect(await readRow()).toEqual(WAITS);
    }
    await attempt(
      senderOf(() => Promise.resolve()),
      id,
    );
    expect(await readRow()).toMatchObject({ status: 'sent', attempts: 1, uncertain: 0 });
    expect(sent).toEqual([id]);
  },
);

const bug = () => Promise.reject(new TypeError('the secret of a member'));

// Such a row once kept its claim and was claimed again every two minutes, endlessly.
it('a bug in an attempt counts as a message without an answer: it is tried once more, later, and then given up', async () => {
  const failing = senderOf(bug);
  await attempt(failing, id);
  expect(await readRow()).toEqual({ status: 'pending', attempts: 1, uncertain: 1, claimed_by: null });
  expect(await attempt(failing, id)).toEqual([]);
  now += MINUTE;
  await attempt(failing, id);
  expect(await readRow()).toEqual({ status: 'dead', attempts: 2, uncertain: 1, claimed_by: null });
  expect(await readError()).toMatch(/^an error of this program, which is in its log; it was sent twice/);
});

it('a bug before anything was sent makes the row wait, until it expires', async () => {
  const failing = senderOf(() => Promise.resolve(), { prepare: bug });
  for (let tries = 1; tries <= 3; tries += 1) {
    await expect(attempt(failing, id)).rejects.toThrow(TypeError);
    expect(await readRow()).toEqual({ status: 'pending', attempts: tries, uncertain: 0, claimed_by: null });
    now += 5 * MINUTE;
  }
  now = START + HOUR - 1;
  await expect(attempt(failing, id)).rejects.toThrow(TypeError);
  expect(await readRow()).toMatchObject({ status: 'expired', attempts: 4 });
});

it('a row whose claims expired twice is given up, and can be sent again by an admin', async () => {
  const sender = senderOf(() => Promise.resolve());
  for (let tries = 1; tries <= 2; tries += 1) {
    await sender.claim([id]);
    now += mailOutbox.claimLifetimeMs + 1;
  }
  await attempt(sender, id);
  expect(await readRow()).toEqual({ status: 'dead', attempts: 3, uncertain: 1, claimed_by: null });
  expect(await readError()).toMatch(/it was sent twice without an answer, so it is not sent again$/);
  await test.db.updateTable('mails').set({ status: 'pending' }).execute();
  await attempt(sender, id);
  expect([sent, await readRow()]).toMatchObject([[id], { status: 'sent' }]);
});

it('a row that expired before its turn is not sent', async () => {
  now = START + HOUR;
  await attempt(senderOf(bug), id);
  expect(await readRow()).toMatchObject({ status: 'expired', attempts: 1, uncertain: 0 });
  expect(await readError()).toBe('it expired before it could be sent');
});

// Such a row kept its claim, was sent once more, and ended nowhere.
it.each<[string, Steps, object]>([
  ['what follows from an outcome', { follow: bug }, { status: 'sent', attempts: 1 }],
  ['the changes of an outcome', { adjust: bug, follow: bug }, { status: 'sent', attempts: 1 }],
  [
    'what follows from a refusal',
    { outcome: { kind: 'rejected', reason: 'no' }, follow: bug },
    { status: 'dead', attempts: 1 },
  ],
])('a bug in %s leaves the row settled by it', async (_what, steps, settled) => {
  const sender = senderOf(() => Promise.resolve(), steps);
  expect(await attempt(sender, id)).toEqual([]);
  expect(await readRow()).toEqual({ ...settled, uncertain: 0, claimed_by: null });
  expect(sent).toEqual([id]);
});

it('what follows from a message waits for a database that is away', async () => {
  const sender = senderOf(() => Promise.resolve(), {
    follow: () => (sent.length === 2 ? Promise.resolve() : (sent.push('away'), away())),
  });
  await attempt(sender, id);
  expect([sent, await readRow()]).toMatchObject([[id, 'away'], { status: 'sent', attempts: 1 }]);
});

// The claims of all of them expired, and all were sent again.
it('a bug in the effects of one message leaves the others settled', async () => {
  const mail = { to: 'bob@example.org', template: 'already_registered', expiresAt: START + HOUR } as const;
  const other = await inTransaction(test.db, (trx) => addMail(trx, mail, START));
  const sender = senderOf(() => Promise.resolve(), {
    follow: (ids) => (ids.includes(id) ? bug() : Promise.resolve()),
  });
  const attempts = [];
  for (const row of await sender.claim([id, other.id])) attempts.push(await sender.begin(row, undefined));
  expect(await sender.settle(attempts.flatMap((ended) => ended ?? []))).toEqual([]);
  const rows = await test.db
    .selectFrom('mails')
    .select(['recipient', 'status'])
    .orderBy('recipient')
    .execute();
  expect(rows).toEqual([
    { recipient: 'ann@example.org', status: 'sent' },
    { recipient: 'bob@example.org', status: 'sent' },
  ]);
});

it('a row that waited until its claim expired is not sent, because another process may send it', async () => {
  const sender = senderOf(() => Promise.resolve());
  const [row] = await sender.claim([id]);
  if (row === undefined) throw new Error('nothing was claimed');
  now += mailOutbox.claimLifetimeMs;
  expect(await sender.begin(row, undefined)).toBeNull();
  expect([sent, await readRow()]).toEqual([[], WAITS]);

  const [again] = await sender.claim([id]);
  if (again === undefined) throw new Error('nothing was claimed');
  now += mailOutbox.claimLifetimeMs + 1;
  await attempt(
    senderOf(() => Promise.resolve()),
    id,
  );
  expect(await sender.begin(again, undefined)).toBeNull();
  expect(sent).toEqual([id]);
});

async function claimUntilItEnds(sender: ReturnType<typeof senderOf>) {
  const [row] = await sender.claim([id]);
  if (row === undefined) throw new Error('nothing was claimed');
  now += mailOutbox.claimLifetimeMs;
  return sender.begin(row, undefined);
}

// Such a row was once claimed and released endlessly.
it('a row whose claims end before its turn expires at its time', async () => {
  const sender = senderOf(() => Promise.resolve());
  for (let tries = 1; tries * mailOutbox.claimLifetimeMs < HOUR; tries += 1)
    expect(await claimUntilItEnds(sender)).toBeNull();
  const attempt = await claimUntilItEnds(sender);
  if (attempt === null) throw new Error('it was given back');
  expect(await sender.settle([attempt])).toEqual([]);
  expect(await readRow()).toMatchObject({ status: 'expired', attempts: 1, claimed_by: null });
  expect(sent).toEqual([]);
});

it('a row whose claim ends by a step of the clock is not expired by it', async () => {
  const stepMs = 2 * HOUR;
  const handleClockStep = () =>
    inTransaction(test.db, (trx) =>
      mailOutbox.shiftTimes(
        trx,
        (time) => (time === null ? null : toIso(fromIso(time) + stepMs)) as typeof time,
      ),
    );
  const sender = senderOf(() => Promise.resolve());
  const [row] = await sender.claim([id]);
  if (row === undefined) throw new Error('nothing was claimed');
  now += stepMs;
  expect(await senderOf(() => Promise.resolve(), { handleClockStep }).begin(row, undefined)).toBeNull();
  expect(await readRow()).toEqual(WAITS);
});

import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromIso, HOUR, toIso } from '#shared/clock';
import { ConnectionFault } from '#shared/database/postgres/connection-fault';
import { inTransaction } from '#shared/database/transaction';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { addMail, mailOutbox } from '#shared/mail/mails';
import { createOutboxSender } from '#shared/outbox/outbox-sender';
import type { Outcome } from '#shared/outbox/outcome';
import { createTestDatabase, type TestDatabase } from '../database';

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
  /** What is read for several attempts. */
  prepare?: () => Promise<undefined>;
  handleClockStep?: () => Promise<void>;
}

/** A sender of mails. `read`: what an attempt reads before it sends. */
function senderOf(read: () => Promise<void>, { prepare, handleClockStep }: Steps = {}) {
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
        return { kind: 'ok' };
      },
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
const WAITS = { status: 'pending', attempts: 0, uncertain: 0, claimed_by: null };

const away = () => Promise.reject(new ConnectionFault(new Error('the server restarts')));

// Such claims expired, each counted as a message without an answer, and after two of them an alert was never sent.
it.each(['the attempt', 'the preparation'])(
  'a row is given back when the database fails in %s, before anything was sent, however often',
  async (step) => {
    const failing =
      step === 'the attempt' ? senderOf(away) : senderOf(() => Promise.resolve(), { prepare: away });
    for (let outage = 0; outage < 3; outage += 1) {
      await expect(failing.attempt(id)).rejects.toThrow('the server restarts');
      expect(await readRow()).toEqual(WAITS);
    }
    await senderOf(() => Promise.resolve()).attempt(id);
    expect(await readRow()).toMatchObject({ status: 'sent', attempts: 1, uncertain: 0 });
    expect(sent).toEqual([id]);
  },
);

it('a claim is kept after a bug, so that the row is not tried again at once', async () => {
  const failing = senderOf(() => Promise.reject(new TypeError('a bug')));
  await expect(failing.attempt(id)).rejects.toThrow('a bug');
  expect(await readRow()).toMatchObject({ status: 'sending', attempts: 1, claimed_by: 'test' });
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
  await senderOf(() => Promise.resolve()).attempt(id);
  expect(await sender.begin(again, undefined)).toBeNull();
  expect(sent).toEqual([id]);
});

async function claimUntilItEnds(sender: ReturnType<typeof senderOf>) {
  const [row] = await sender.claim([id]);
  if (row === undefined) throw new Error('nothing was claimed');
  now += mailOutbox.claimLifetimeMs;
  return sender.begin(row, undefined);
}

// Such a row was claimed and given back for ever.
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

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR } from '#shared/clock';
import { createMailer, type MailAnswer, type Mailer } from '#shared/channels/email/mailer.server';
import type { MailFault } from '../../../sandbox/mail/mail-fault';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';

let sandbox: Sandbox;
let mailer: Mailer;
beforeAll(async () => {
  sandbox = await startSandbox();
  mailer = createMailer(settings(), { connections: 4 })!;
});
afterAll(async () => {
  mailer.close();
  await sandbox.close();
});
beforeEach(() => sandbox.reset());

const settings = () => ({ smtpUrl: sandbox.smtpUrl, from: 'Packwatch <alerts@packwatch.test>' });

const send = (to = 'ash@example.test', signal?: AbortSignal) =>
  mailer.send({ to, subject: 'The waiting room is open', text: 'Join now.' }, signal);

test.each<[string, Parameters<Sandbox['mails']['setFaults']>[0][number], MailAnswer]>([
  [
    'an unknown address bounces',
    { code: 550, at: 'recipient', text: '5.1.1 No such user' },
    {
      kind: 'gone',
      what: 'address',
      status: 550,
      reason: 'the mail server refused the address with 550 5.1.1',
    },
  ],
  [
    'a refusal of the message says nothing of the address',
    { code: 550 },
    { kind: 'rejected', status: 550, reason: 'the mail server refused with 550' },
  ],
  [
    'a full mailbox is refused without a bounce',
    { code: 552, at: 'recipient', text: '5.2.2 Mailbox full' },
    { kind: 'rejected', status: 552, reason: 'the mail server refused with 552 5.2.2' },
  ],
  [
    'a refused relay is our fault, not that of the address',
    { code: 550, at: 'recipient', text: '5.7.1 Relay denied' },
    { kind: 'rejected', status: 550, reason: 'the mail server refused with 550 5.7.1' },
  ],
  [
    'a server that wants a login first refuses no mail for good',
    { code: 530, at: 'recipient', text: '5.7.0 Authentication required' },
    { kind: 'retry', reason: 'the mail server answered 530 5.7.0' },
  ],
  [
    'a server that closes the connection after the final dot has refused the mail for now',
    { code: 421, text: '4.3.2 Shutting down' },
    { kind: 'retry', reason: 'the mail server answered 421 4.3.2' },
  ],
  [
    'a greylisted recipient is tried again',
    { code: 451, at: 'recipient' },
    { kind: 'retry', reason: 'the mail server answered 451' },
  ],
  [
    'a server that closes every connection is tried again',
    { code: 421, at: 'recipient', persistent: true },
    { kind: 'retry', reason: 'the mail server answered 421' },
  ],
])('%s', async (_title, fault, answer) => {
  sandbox.mails.setFaults([fault]);
  expect(await send()).toEqual(answer);
  sandbox.mails.setFaults([]);
  expect(await send()).toEqual({ kind: 'ok', status: 250 });
});

test('a crowd shares the connections, and refused or slow recipients delay only themselves', async () => {
  sandbox.mails.setFaults([
    { code: 550, at: 'recipient', share: [0, 0.2], persistent: true },
    { delayMs: 50, at: 'recipient', share: [0.2, 0.4], persistent: true },
  ]);
  const everyone = Array.from({ length: 120 }, (_, index) => `member-${index}@example.test`);
  const answers = await Promise.all(everyone.map((to) => send(to)));
  const refused = everyone.filter((_, index) => answers[index]?.kind === 'gone');
  expect(refused.length).toBeGreaterThan(5);
  expect(answers.every(({ kind }) => kind === 'ok' || kind === 'gone')).toBe(true);
  const received = sandbox.mails.receipts().map(({ to }) => to);
  expect(received.toSorted()).toEqual(everyone.filter((to) => !refused.includes(to)).toSorted());
});

/** A mail gets to its final dot within `unsentLimitMs` also on a busy machine, unless that is what ends the attempt. */
const BEFORE_DOT = { unsentLimitMs: 300, answerLimitMs: HOUR };
const AFTER_DOT = { unsentLimitMs: HOUR, answerLimitMs: 300 };
const LATE_AFTER_DOT = { unsentLimitMs: 3_000, answerLimitMs: HOUR };

test.each<[string, MailFault, typeof BEFORE_DOT, MailAnswer['kind'] | 'uncertain', number]>([
  ['that never greets', { at: 'connection', delayMs: HOUR, persistent: true }, BEFORE_DOT, 'retry', 0],
  ['that is silent at the sender', { at: 'sender', delayMs: HOUR }, BEFORE_DOT, 'retry', 0],
  ['that is silent at the recipient', { at: 'recipient', delayMs: HOUR }, BEFORE_DOT, 'retry', 0],
  ['that hangs up at the recipient', { at: 'recipient', drop: true }, AFTER_DOT, 'retry', 0],
  ['that is silent after the final dot', { delayMs: HOUR }, AFTER_DOT, 'uncertain', 0],
  ['that hangs up after the final dot', { drop: true }, AFTER_DOT, 'uncertain', 1],
  ['that takes longer after the final dot than before it may', { delayMs: 3_250 }, LATE_AFTER_DOT, 'ok', 1],
])('a server %s', async (_title, fault, limits, kind, received) => {
  const hasty = createMailer(settings(), limits)!;
  sandbox.mails.setFaults([fault]);
  const answer = await hasty.send({ to: 'ash@example.test', subject: 'One', text: 'One.' });
  hasty.close();
  expect(answer.kind === 'retry' && answer.uncertain === true ? 'uncertain' : answer.kind).toBe(kind);
  expect(sandbox.mails.receipts()).toHaveLength(received);
});

test('attempts that are ended say whether the mail was sent', async () => {
  const ending = createMailer(settings(), { connections: 2 })!;
  sandbox.mails.setFaults([
    { at: 'recipient', to: 'unsent@*', delayMs: HOUR },
    { to: 'sent@*', delayMs: HOUR },
  ]);
  const answers = Promise.all(
    ['unsent', 'sent'].map((name) => ending.send({ to: `${name}@example.test`, subject: 'One', text: '1' })),
  );
  await expect.poll(() => sandbox.mails.faults()).toEqual([]);
  ending.abort();
  expect(await answers).toEqual([
    { kind: 'retry', reason: 'the mail server did not answer before we stopped' },
    { kind: 'retry', uncertain: true, reason: 'the mail server did not confirm the mail before we stopped' },
  ]);
  ending.close();
});

test('an attempt that is given up ends at once, and the mail may be tried again', async () => {
  sandbox.mails.setFaults([{ delayMs: 5_000, at: 'recipient' }]);
  const given = new AbortController();
  const answer = send('late@example.test', given.signal);
  setImmediate(() => given.abort());
  expect(await answer).toMatchObject({ kind: 'retry' });
  expect(await send()).toEqual({ kind: 'ok', status: 250 });
});

test('nothing is sent unencrypted to another host, unless SMTP_URL says so', async () => {
  // Not a loopback address, although this machine answers on it.
  const elsewhere = sandbox.smtpUrl.replace('127.0.0.1', '0.0.0.0');
  const mail = { to: 'ash@example.test', subject: 'The waiting room is open', text: 'Join now.' };
  for (const [smtpUrl, answer] of [
    [elsewhere, { kind: 'retry', reason: expect.stringContaining('offers no working encryption') as string }],
    [`${elsewhere}?requireTLS=false`, { kind: 'ok', status: 250 }],
    [`${elsewhere}?ignoreTLS=true`, { kind: 'ok', status: 250 }],
  ] as const) {
    const client = createMailer({ smtpUrl, from: 'Packwatch <alerts@packwatch.test>' })!;
    expect(await client.send(mail)).toEqual(answer);
    client.close();
  }
  expect(sandbox.mails.receipts()).toHaveLength(2);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMailer, type MailAnswer, type Mailer } from '#shared/mail/mailer.server';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';

let sandbox: Sandbox;
let mailer: Mailer;
beforeAll(async () => {
  sandbox = await startSandbox();
  mailer = createMailer(
    { smtpUrl: sandbox.smtpUrl, from: 'Packwatch <alerts@packwatch.test>' },
    { connections: 4 },
  )!;
});
afterAll(async () => {
  mailer.close();
  await sandbox.close();
});
beforeEach(() => sandbox.reset());

const send = (to = 'ash@example.test', signal?: AbortSignal) =>
  mailer.send({ to, subject: 'The waiting room is open', text: 'Join now.' }, signal);

test.each<[string, Parameters<Sandbox['mails']['setFaults']>[0][number], MailAnswer]>([
  [
    'an unknown address bounces',
    { code: 550, at: 'recipient', text: '5.1.1 No such user' },
    {
      is: 'rejected',
      status: 550,
      reason: 'the mail server refused the address with 550 5.1.1',
      bounced: true,
    },
  ],
  [
    'a refusal of the message says nothing of the address',
    { code: 550 },
    { is: 'rejected', status: 550, reason: 'the mail server refused with 550', bounced: false },
  ],
  [
    'a full mailbox is refused without a bounce',
    { code: 552, at: 'recipient', text: '5.2.2 Mailbox full' },
    { is: 'rejected', status: 552, reason: 'the mail server refused with 552 5.2.2', bounced: false },
  ],
  [
    'a refused relay is our fault, not that of the address',
    { code: 550, at: 'recipient', text: '5.7.1 Relay denied' },
    { is: 'rejected', status: 550, reason: 'the mail server refused with 550 5.7.1', bounced: false },
  ],
  [
    'a greylisted recipient is tried again',
    { code: 451, at: 'recipient' },
    { is: 'retry', reason: 'the mail server answered 451' },
  ],
  [
    'a server that closes every connection is tried again',
    { code: 421, at: 'recipient', persistent: true },
    { is: 'retry', reason: 'the mail server answered 421' },
  ],
])('%s', async (_title, fault, answer) => {
  sandbox.mails.setFaults([fault]);
  expect(await send()).toEqual(answer);
  sandbox.mails.setFaults([]);
  expect(await send()).toEqual({ is: 'ok' });
});

test('a crowd shares the connections, and refused or slow recipients delay only themselves', async () => {
  sandbox.mails.setFaults([
    { code: 550, at: 'recipient', share: [0, 0.2], persistent: true },
    { delayMs: 50, at: 'recipient', share: [0.2, 0.4], persistent: true },
  ]);
  const everyone = Array.from({ length: 120 }, (_, index) => `member-${index}@example.test`);
  const answers = await Promise.all(everyone.map((to) => send(to)));
  const refused = everyone.filter((_, index) => answers[index]?.is === 'rejected');
  expect(refused.length).toBeGreaterThan(5);
  expect(answers.every(({ is }) => is === 'ok' || is === 'rejected')).toBe(true);
  const received = sandbox.mails.receipts().map(({ to }) => to);
  expect(received.toSorted()).toEqual(everyone.filter((to) => !refused.includes(to)).toSorted());
});

test('an attempt that is given up ends at once, and the mail may be tried again', async () => {
  sandbox.mails.setFaults([{ delayMs: 5_000, at: 'recipient' }]);
  const given = new AbortController();
  const answer = send('late@example.test', given.signal);
  setImmediate(() => given.abort());
  expect(await answer).toMatchObject({ is: 'retry' });
  expect(await send()).toEqual({ is: 'ok' });
});

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const letter = {
  from: 'Packwatch <alerts@packwatch.test>',
  to: ['Zoë <zoe@example.test>', 'sam@example.test'],
  subject: 'Öffnung – your code is 123456',
  text: `Hello Zoë,\n\n${'a long line, '.repeat(20)}end.`,
  html: '<h1>Hello Zoë</h1>',
};

async function send(url = sandbox.smtpUrl) {
  const transport = createTransport(url);
  try {
    return await transport.sendMail(letter);
  } finally {
    transport.close();
  }
}

test('a mail is stored with its envelope, headers, text and HTML', async () => {
  await send();
  const [mail] = sandbox.mails.list();
  expect(mail).toMatchObject({
    subject: letter.subject,
    from: letter.from,
    to: letter.to.join(', '),
    html: letter.html,
    envelope: { from: 'alerts@packwatch.test', to: ['zoe@example.test', 'sam@example.test'] },
  });
  expect(mail?.text?.replaceAll('\r\n', '\n').trim()).toBe(letter.text);
  expect(mail?.raw).toContain('Message-ID:');
});

test('any user name and password are accepted', async () => {
  await send(sandbox.smtpUrl.replace('smtp://', 'smtp://somebody:secret@'));
  expect(sandbox.mails.list()).toHaveLength(1);
});

test.each([451, 550])('a refusal with %i stores nothing and ends after its count', async (code) => {
  sandbox.mails.setFaults([{ code, count: 2 }]);
  for (let count = 0; count < 2; count += 1) {
    await expect(send()).rejects.toMatchObject({ responseCode: code });
  }
  expect(sandbox.mails.list()).toEqual([]);
  await send();
  expect(sandbox.mails.list()).toHaveLength(1);
});

test('one recipient can be refused while the other gets the mail', async () => {
  sandbox.mails.setFaults([{ code: 550, at: 'recipient' }]);
  const sent = await send();
  expect(sent.rejected).toEqual(['zoe@example.test']);
  expect(sandbox.mails.list()[0]?.envelope.to).toEqual(['sam@example.test']);
});

test('a fault for a share of the recipients applies to the same ones each time, to their first attempts', async () => {
  const transport = createTransport({ url: sandbox.smtpUrl, pool: true, maxConnections: 5 });
  const everyone = Array.from({ length: 60 }, (_, index) => `member-${index}@example.test`);
  const round = async () => {
    const results = await Promise.allSettled(everyone.map((to) => transport.sendMail({ ...letter, to })));
    return everyone.filter((_, index) => results[index]?.status === 'rejected');
  };
  sandbox.mails.setFaults([
    { code: 550, at: 'recipient', share: [0, 0.3], persistent: true },
    { code: 421, at: 'recipient', share: [0.3, 0.6], attempts: 1, persistent: true },
    { delayMs: 5, at: 'recipient', share: [0.6, 1], persistent: true },
  ]);
  const first = await round();
  const second = await round();
  transport.close();
  expect(first.length).toBeGreaterThan(second.length);
  expect(second.length).toBeGreaterThan(5);
  expect(first).toEqual(expect.arrayContaining(second));
  const receipts = sandbox.mails.receipts().map(({ to }) => to);
  expect(new Set(receipts).size).toBe(everyone.length - second.length);
});

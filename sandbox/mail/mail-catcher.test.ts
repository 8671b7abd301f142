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

import { expect, test } from 'vitest';
import { readMail } from './read-mail';

const read = (...lines: string[]) => readMail(Buffer.from(lines.join('\r\n')));

test('folded headers and encoded words become plain text', async () => {
  const mail = await read(
    'From: =?UTF-8?Q?Packwatch_=E2=80=93_alerts?= <alerts@packwatch.test>',
    'Subject: =?utf-8?B?w5ZmZm51bmc=?=',
    ' =?utf-8?Q?_jetzt?=',
    '',
    'Hello',
  );
  expect(mail.from).toBe('Packwatch – alerts <alerts@packwatch.test>');
  expect(mail.subject).toBe('Öffnung jetzt');
  expect(mail.text).toBe('Hello');
});

test('quoted-printable loses its soft breaks only', async () => {
  const mail = await read(
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Caf=C3=A9 is =',
    'open =3D yes',
  );
  expect(mail.text).toBe('Café is open = yes');
});

test('other charsets are decoded', async () => {
  const mail = await readMail(
    Buffer.concat([
      Buffer.from('Content-Type: text/plain; charset=iso-8859-1\r\n\r\n'),
      Buffer.from([0xe9, 0xe8]),
    ]),
  );
  expect(mail.text).toBe('éè');
});

test('text and HTML are found in nested multiparts, without attachments', async () => {
  const mail = await read(
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    'preamble',
    '--outer',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    'Content-Type: text/plain',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('Grüße').toString('base64'),
    '--inner',
    'Content-Type: text/html',
    '',
    '<p>Grüße</p>',
    '--inner--',
    '--outer',
    'Content-Type: text/plain',
    'Content-Disposition: attachment; filename=a.txt',
    '',
    'attached',
    '--outer--',
  );
  expect(mail).toMatchObject({ text: 'Grüße', html: '<p>Grüße</p>' });
});

test('a mail without headers or body is read', async () => {
  expect(await readMail(Buffer.from(''))).toMatchObject({ subject: '', from: '', text: '', html: null });
});

import { expect, test } from 'vitest';
import { enhancedStatusOf, isAboutAddress } from './smtp-reply';

/** A reply as nodemailer passes it on: its lines, each with the status. */
function reply(text: string) {
  return { status: Number(text.slice(0, 3)), text };
}

test.each([
  '550 5.1.1 No such user',
  '550 No such user here',
  '550 Requested action not taken: mailbox unavailable',
  '550 <ash@example.test>: User unknown',
  '551 User not local; please try <ash@elsewhere.test>',
  '553 Requested action not taken: mailbox name not allowed',
  '553 sorry, no mailbox here by that name (#5.1.1)',
  '550 5.1.1 <ash@example.test>: Recipient address rejected: User unknown in relay recipient table',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address\n550 5.1.1 https://support.example/?p=NoSuchUser - gsmtp",
  '550 5.2.1 The mailbox is disabled',
  '550 5.0.0 Unknown user',
])('%j is about the address', (text) => {
  expect(isAboutAddress(reply(text))).toBe(true);
});

test.each([
  '550 relay not permitted',
  '550 Relaying denied',
  '550 Sender verify failed',
  "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
  "553 sorry, that domain isn't in my list of allowed rcpthosts",
  '554 5.7.1 <ash@example.test>: Relay access denied',
  '550 5.7.1 Unable to relay',
  '550 5.7.1',
  '550 SPF check failed',
  '550 SPF: 192.0.2.7 is not allowed to send mail from packwatch.test',
  '550 Blocked: listed in zen.spamhaus.org',
  '550 JunkMail rejected - host is in an RBL',
  '550 Your IP address is on our blacklist',
  '550 authentication required',
  '550 Authentication is required for relay',
  '530 5.7.0 Must issue a STARTTLS command first',
  '535 5.7.8 Authentication failed',
  '552 5.2.2 Mailbox full',
  '550 5.2.2 Mailbox full',
  '550 quota exceeded',
  '422 mailbox full',
  '550 Mailbox is over its quota',
  '450 4.2.0 Greylisted',
  '550 5.1.8 Sender domain does not exist',
  '550 5.1.7 Invalid sender address',
  '550-Message rejected by local policy\n550 Contact postmaster',
  '550-5.7.1 [192.0.2.10 12] Our system has detected that this message is\n550 5.7.1 likely unsolicited mail.',
  '550 5.4.1 Recipient address rejected: Access denied',
  '501 Bad address syntax',
])('%j is not about the address', (text) => {
  expect(isAboutAddress(reply(text))).toBe(false);
});

test.each([
  ['550 5.1.1 No such user', '5.1.1'],
  ['553 sorry (#5.7.1)', '5.7.1'],
  ['550-first line\n550 5.1.1 second line', '5.1.1'],
  ['550 [5.9.1.2] is blocked (5.7.606)', '5.7.606'],
  ['550 Exim 4.97.1 says no', null],
  ['421 5.1.1 never mind', null],
  ['550 no', null],
])('the enhanced status of %j is %j', (text, status) => {
  expect(enhancedStatusOf(reply(text))).toBe(status);
});

test('a long reply is read in a moment', () => {
  const text = `550 ${'5.1.'.repeat(250_000)}`;
  const before = process.cpuUsage();
  isAboutAddress({ status: 550, text });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(100);
});

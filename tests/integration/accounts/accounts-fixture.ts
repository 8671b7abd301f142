import { pino } from 'pino';
import { expect } from 'vitest';
import type { Account } from '#shared/accounts/account';
import type { AccountsContext } from '#shared/accounts/accounts-context';
import { registerWithPassword, type Registration } from '#shared/accounts/passwords/register-with-password';
import type { DiscordProfile } from '#shared/accounts/discord/sign-in-with-discord';
import { verifyCode } from '#shared/accounts/codes/verify-code';
import type { Clock } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { DomainError } from '#shared/errors';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { createKeyring, type Keyring } from '#shared/secrets.server';
import type { Mail, MailAnswer, Mailer } from '#shared/channels/email/mailer.server';
import { createMailSender } from '#shared/mail/send-mail.server';
import { createCheapPasswordHasher } from '../../cheap-passwords';
import { createTestDatabase } from '../database';
import { attemptDue } from '../../attempt';

export const EMAIL = 'ann@example.org';
export const PASSWORD = 'correct horse battery';
export const NETWORK = '192.0.2.0/24';
export const PASSKEYS = { rpId: 'packwatch.test', origin: 'https://packwatch.test' };

/** A clock that only the test advances. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

function createManualClock(): ManualClock {
  let now = Date.parse('2026-11-20T12:00:00.000Z');
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

export interface AccountsFixture {
  db: Database;
  clock: ManualClock;
  keyring: Keyring;
  context: AccountsContext;
  /** Every mail that the mail server accepted, oldest first. */
  mailbox: Mail[];
  /** Every mail that was handed to the mail server, oldest first. */
  attempted: Mail[];
  /** Attempts all due mails, as the daemon does. Returns those that the mail server accepted. */
  sendDueMails(): Promise<Mail[]>;
  /** The mail server's responses to the next mails; it accepts the mail when the list is empty. */
  answers: MailAnswer[];
  /** Attempts all due mails and reads the code from the newest mail to the address. */
  readCode(email?: string): Promise<string>;
  register(email?: string, options?: Partial<Omit<Registration, 'email'>>): Promise<void>;
  /** Registers an account and confirms its address. */
  member(email?: string): Promise<Account>;
  cleanup(): Promise<void>;
}

const passwords = createCheapPasswordHasher();
const logger = pino({ level: 'silent' });

/** Creates a database, the context of the accounts functions, and a mail server with scripted responses. */
export async function createAccountsFixture(
  config: Partial<AccountsContext['config']> = {},
): Promise<AccountsFixture> {
  const { db, cleanup } = await createTestDatabase();
  const clock = createManualClock();
  const keyring = createKeyring(['a secret of the tests']);
  const mailbox: Mail[] = [];
  const attempted: Mail[] = [];
  const answers: MailAnswer[] = [];
  const context: AccountsContext = {
    db,
    clock,
    keyring,
    passwords,
    mail: { enabled: true, notifyQueue: () => undefined },
    config: { adminEmails: [], adminDiscordIds: [], passkeys: PASSKEYS, ...config },
  };
  const mailer: Mailer = {
    async send(mail: Mail): Promise<MailAnswer> {
      attempted.push(mail);
      const answer = answers.shift() ?? { kind: 'ok' };
      if (answer.kind === 'ok') mailbox.push(mail);
      return answer;
    },
    abort: () => undefined,
    close: () => undefined,
  };
  const sender = createMailSender({
    db,
    keyring,
    clock,
    logger,
    appUrl: 'https://packwatch.test',
    owner: 'test',
    outcomes: createWriteRetrier({ onWait: () => undefined }),
    mailers: { codes: mailer, others: mailer },
  });
  const fixture: AccountsFixture = {
    db,
    clock,
    keyring,
    context,
    mailbox,
    attempted,
    answers,
    async sendDueMails() {
      const before = mailbox.length;
      await attemptDue(sender);
      return mailbox.slice(before);
    },
    async readCode(email = EMAIL) {
      await fixture.sendDueMails();
      const mail = mailbox.findLast(({ to }) => to === email);
      const code = /^(\d{6}) is your /.exec(mail?.subject ?? '')?.[1];
      if (code === undefined) throw new Error(`no mail with a code reached ${email}`);
      return code;
    },
    async register(email = EMAIL, { password = PASSWORD, browserKey = null, network = NETWORK } = {}) {
      await registerWithPassword(context, { email, password, browserKey, network });
    },
    async member(email = EMAIL) {
      await fixture.register(email);
      const code = await fixture.readCode(email);
      const { account } = await verifyCode(context, { email, code, browserKey: null, userAgent: null });
      return account;
    },
    cleanup,
  };
  return fixture;
}

/** A Discord profile, with the given changes. */
export function discordProfile(changes: Partial<DiscordProfile> = {}): DiscordProfile {
  return {
    id: '150000000000000042',
    username: 'ann',
    avatar: null,
    email: EMAIL,
    verified: true,
    ...changes,
  };
}

/** A six-digit code that differs from `code`. */
export function otherCode(code: string, step = 1): string {
  return String((Number(code) + step) % 1_000_000).padStart(6, '0');
}

/** The DomainError that `work` rejects with; fails on any other outcome. */
export async function refusalOf(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DomainError);
  return error as DomainError;
}

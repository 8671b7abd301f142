import type { Clock } from '../clock';
import type { Config } from '../config.server';
import type { Database } from '../database/schema';
import { DomainError } from '../errors';
import type { MailOutbox } from '../mail/mails';
import type { Keyring } from '../secrets.server';
import type { PasswordHasher } from './passwords/password-hasher.server';

/** The dependencies of sign-in; built once per process. */
export interface AccountsContext {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  passwords: PasswordHasher;
  mail: MailOutbox;
  config: Pick<Config, 'adminEmails' | 'adminDiscordIds' | 'passkeys'>;
}

/** Throws `Unavailable` while mail is switched off: no code can be sent then. */
export function requireMail({ mail }: Pick<AccountsContext, 'mail'>): void {
  if (mail.enabled) return;
  throw new DomainError('Unavailable', {
    code: 'mail_unavailable',
    message: 'We cannot send email right now. Please try again later.',
  });
}

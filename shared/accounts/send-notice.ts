import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema';
import type { Keyring } from '../keyring.server';
import { NOTICE_MAIL_LASTS_MS } from '../mail/mail-timing';
import { addMail } from '../mail/mails';
import type { DueDelivery } from '../queues/catalogue';
import type { Account } from './account';
import { countCodeRequest, type AnonymousRequest } from './code-allowance';

/**
 * Tells the owner of a confirmed account that its address was used to register; only the owner hears of it. It counts as
 * a request for a code. Hand the result to `MailOutbox.notifyQueue` after the commit.
 */
export async function sendNotice(
  trx: Transaction<Schema>,
  { keyring, now }: { keyring: Keyring; now: number },
  { account, request }: { account: Account; request: AnonymousRequest },
): Promise<DueDelivery> {
  await countCodeRequest(trx, { keyring, now }, request);
  return addMail(
    trx,
    { to: account.email, template: 'already_registered', expiresAt: now + NOTICE_MAIL_LASTS_MS },
    now,
  );
}

import type { Database } from '#shared/database/connection.server';
import type { Clock } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import { isCodeMail, listDueMails, type QueuedMail } from '#shared/mail/mails';
import type { Sender } from './sender';

type MailSender = Pick<Sender<QueuedMail>, 'send' | 'stop'>;

/** Sends mails: sign-in codes over slots and connections of their own, so that no other mail delays them. */
export interface MailLanes {
  /** Claims and sends a mail if it is due. Never rejects. */
  send(id: string): Promise<void>;
  /** Starts everything that is due, codes first. Called by the loop each second. */
  sweep(): Promise<void>;
  /** See `Sender`. */
  stop(): Promise<void>;
}

/** Creates both lanes from their senders. */
export function createMailLanes({
  db,
  clock,
  logger,
  codes,
  others,
}: {
  db: Database;
  clock: Clock;
  logger: Logger;
  codes: MailSender;
  others: MailSender;
}): MailLanes {
  return {
    async send(id) {
      try {
        await ((await isCodeMail(db, id)) ? codes : others).send(id);
      } catch (error) {
        logger.warn({ err: error, mailId: id }, 'could not read a mail; the sweep retries');
      }
    },
    async sweep() {
      const due = await listDueMails(db, clock.now());
      for (const id of due.codes) void codes.send(id);
      for (const id of due.others) void others.send(id);
    },
    async stop() {
      await Promise.all([codes.stop(), others.stop()]);
    },
  };
}

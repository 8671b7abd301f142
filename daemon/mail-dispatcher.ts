import pLimit from 'p-limit';
import { sendQueuedMail, type MailSenderContext } from '#shared/mail/send-mail.server';
import type { Queues } from '#shared/queues/connection.server';
import { enqueueMails } from '#shared/queues/enqueue';

/** As many as the mail server's kept connections; the outbox holds whatever is more. */
const MAILS_AT_ONCE = 5;

export interface MailDispatcher {
  /** Claims and sends one mail if it is due and not in hand already; the worker's and the sweep's way in. */
  sendNow(mailId: string): Promise<void>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
}

/** Sends mails from this process. Whatever fails here, the outbox and the sweep bring it to its end. */
export function createMailDispatcher({
  sender,
  queues,
}: {
  sender: MailSenderContext;
  queues: Queues;
}): MailDispatcher {
  const limit = pLimit(MAILS_AT_ONCE);
  const inHand = new Map<string, Promise<void>>();
  const { logger, clock } = sender;

  async function send(mailId: string): Promise<void> {
    try {
      const due = await limit(() => sendQueuedMail(sender, mailId));
      // Only now may the mail's next attempt find its way in.
      inHand.delete(mailId);
      await enqueueMails(queues, due, clock.now()).catch(() =>
        logger.debug({ mailId }, 'the queue is away: the sweep will send this'),
      );
    } catch (error) {
      inHand.delete(mailId);
      logger.error({ err: error, mailId }, 'a mail could not be processed; the sweep tries again');
    }
  }

  return {
    sendNow(mailId) {
      const running = inHand.get(mailId);
      if (running !== undefined) return running;
      const work = send(mailId);
      inHand.set(mailId, work);
      return work;
    },
    async idle() {
      while (inHand.size > 0) await Promise.allSettled(inHand.values());
    },
  };
}

import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { z } from 'zod';
import { createFaultQueue } from '../fault-queue';
import { createRecentList, epochNow, type Changes, type Service } from '../service';
import { readMail, type ReadMail } from './read-mail';

/**
 * A fault of the mail server: it rejects a recipient or (by default) the message with an SMTP status, 4xx for a temporary
 * and 5xx for a permanent failure.
 */
export const mailFaultSchema = z.strictObject({
  code: z.int().min(400).max(599),
  at: z.enum(['recipient', 'message']).optional(),
  count: z.int().min(1).max(100_000).optional(),
  persistent: z.boolean().optional(),
});
export type MailFault = z.infer<typeof mailFaultSchema>;

/** A mail that was accepted. `receivedAt` is epoch milliseconds with a fraction. */
export interface CaughtMail extends ReadMail {
  id: string;
  receivedAt: number;
  envelope: { from: string; to: string[] };
  raw: string;
}

const MAX_MAILS = 1_000;
/** How long an open connection may delay the stop. */
const CLOSE_TIMEOUT_MS = 200;
const MAX_MAIL_BYTES = 25 * 1024 * 1024;

/** An SMTP server that accepts every sender, recipient, user name and password, and stores the mails. */
export function createMailCatcher(changes: Changes) {
  const faults = createFaultQueue<MailFault>();
  const mails = createRecentList<CaughtMail>(MAX_MAILS);

  const refusal = (at: NonNullable<MailFault['at']>): Error | null => {
    const fault = faults.take((candidate) => (candidate.at ?? 'message') === at);
    if (!fault) return null;
    changes.mark();
    const reason = fault.code < 500 ? 'Try again later' : 'Not accepted';
    return Object.assign(new Error(reason), { responseCode: fault.code });
  };

  /** Stores a mail; returns why it is rejected, or null. */
  async function receive(
    stream: SMTPServerDataStream,
    { envelope: { mailFrom, rcptTo } }: SMTPServerSession,
  ): Promise<Error | null> {
    const raw = await readAll(stream);
    if (stream.sizeExceeded) return Object.assign(new Error('Message too large'), { responseCode: 552 });
    const error = refusal('message');
    if (error) return error;
    mails.add({
      ...(await readMail(raw)),
      id: randomUUID(),
      receivedAt: epochNow(),
      envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
      raw: raw.toString('utf8'),
    });
    changes.mark();
    return null;
  }

  const server = new SMTPServer({
    banner: 'Packwatch sandbox',
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    size: MAX_MAIL_BYTES,
    disableReverseLookup: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    onAuth(auth, _session, callback) {
      callback(null, { user: auth.username ?? 'anonymous' });
    },
    onRcptTo(_address, _session, callback) {
      callback(refusal('recipient'));
    },
    onData(stream, session, callback) {
      receive(stream, session).then(callback, callback);
    },
  });
  // A client can close its connection at any time. Without a listener that error would end the process.
  server.on('error', () => undefined);

  const service: Service = {
    name: 'mail',
    state: () => ({ mails: mails.list().length, faults: faults.list() }),
    reset() {
      faults.set([]);
      mails.clear();
      changes.mark();
    },
  };

  return {
    service,
    /** Starts listening on 127.0.0.1; port 0 takes any free one. Returns the port; rejects when it is in use. */
    listen(port: number): Promise<number> {
      return new Promise((resolve, reject) => {
        server.server.once('error', reject);
        server.listen(port, '127.0.0.1', () => {
          server.server.off('error', reject);
          resolve((server.server.address() as AddressInfo).port);
        });
      });
    },
    close: (): Promise<void> => new Promise((resolve) => server.close(() => resolve())),
    /** Accepted mails, oldest first. */
    list: (): CaughtMail[] => mails.list(),
    faults: (): MailFault[] => faults.list(),
    setFaults(next: readonly MailFault[]): void {
      faults.set(next);
      changes.mark();
    },
    clear(): void {
      mails.clear();
      changes.mark();
    },
  };
}

export type MailCatcher = ReturnType<typeof createMailCatcher>;

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

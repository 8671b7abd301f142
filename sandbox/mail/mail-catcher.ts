import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { createRecentList, epochNow, type Changes, type Service } from '../service';
import { createMailFaults, type MailFault } from './mail-fault';
import { readMail, type ReadMail } from './read-mail';

/** A mail that was accepted. `receivedAt` is epoch milliseconds with a fraction. */
export interface CaughtMail extends ReadMail {
  id: string;
  receivedAt: number;
  envelope: { from: string; to: string[] };
  raw: string;
}

/** Who received which mail when. More of these are kept than of mails, for benchmarks. */
export interface Receipt {
  to: string;
  /** In angle brackets; empty if the mail has none. */
  messageId: string;
  receivedAt: number;
}

const MAX_MAILS = 1_000;
const MAX_RECEIPTS = 100_000;
/** How long an open connection may delay the stop. */
const CLOSE_TIMEOUT_MS = 200;
const MAX_MAIL_BYTES = 25 * 1024 * 1024;

/** An SMTP server that accepts every sender, recipient, user name and password, and stores the mails. */
export function createMailCatcher(changes: Changes) {
  const faults = createMailFaults();
  const mails = createRecentList<CaughtMail>(MAX_MAILS);
  const receipts = createRecentList<Receipt>(MAX_RECEIPTS);

  async function refusal(at: NonNullable<MailFault['at']>, address: string): Promise<Error | null> {
    const error = await faults.apply(at, address);
    if (error !== null) changes.mark();
    return error;
  }

  /** Stores a mail; returns why it is rejected, or null. */
  async function receive(
    stream: SMTPServerDataStream,
    { envelope: { mailFrom, rcptTo } }: SMTPServerSession,
  ): Promise<Error | null> {
    const raw = await readAll(stream);
    if (stream.sizeExceeded) return Object.assign(new Error('Message too large'), { responseCode: 552 });
    const to = rcptTo.map(({ address }) => address);
    const error = await refusal('message', to[0] ?? '');
    if (error) return error;
    const read = await readMail(raw);
    const receivedAt = epochNow();
    mails.add({
      ...read,
      id: randomUUID(),
      receivedAt,
      envelope: { from: mailFrom ? mailFrom.address : '', to },
      raw: raw.toString('utf8'),
    });
    for (const address of to)
      receipts.add({ to: address, messageId: read.headers['message-id'] ?? '', receivedAt });
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
    onRcptTo({ address }, _session, callback) {
      refusal('recipient', address).then(callback, callback);
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
      receipts.clear();
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
    receipts: (): Receipt[] => receipts.list(),
    faults: (): MailFault[] => faults.list(),
    setFaults(next: readonly MailFault[]): void {
      faults.set(next);
      changes.mark();
    },
    clear(): void {
      mails.clear();
      receipts.clear();
      changes.mark();
    },
  };
}

async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

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
/** Longer than the longest delay, so that a fault alone ends a connection. */
const SILENCE_TIMEOUT_MS = 2 * 3_600_000;
const MAX_MAIL_BYTES = 25 * 1024 * 1024;

/** An SMTP server that accepts every sender, recipient, user name and password, and stores the mails. */
export function createMailCatcher(changes: Changes) {
  const faults = createMailFaults();
  const mails = createRecentList<CaughtMail>(MAX_MAILS);
  const receipts = createRecentList<Receipt>(MAX_RECEIPTS);

  /** Answers one step of a session: with an error, with none, or not at all on a connection that it closes. */
  type Answer = (error?: Error | null) => void;

  function closeConnection({ id }: SMTPServerSession): void {
    for (const connection of server.connections) if (connection.id === id) connection.close();
  }

  async function answer(
    at: NonNullable<MailFault['at']>,
    address: string,
    session: SMTPServerSession,
    callback: Answer,
  ): Promise<void> {
    const refusal = await faults.apply(at, address);
    if (refusal !== null) changes.mark();
    if (refusal?.drop === true) closeConnection(session);
    else callback(refusal?.error);
  }

  /** Stores a mail, unless it is refused. */
  async function receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    callback: Answer,
  ): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope;
    const raw = await readAll(stream);
    if (stream.sizeExceeded) {
      callback(Object.assign(new Error('Message too large'), { responseCode: 552 }));
      return;
    }
    const to = rcptTo.map(({ address }) => address);
    const refusal = await faults.apply('message', to[0] ?? '');
    if (refusal !== null) changes.mark();
    if (refusal?.drop === false) {
      callback(refusal.error);
      return;
    }
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
    if (refusal === null) callback(null);
    else closeConnection(session);
  }

  const server = new SMTPServer({
    banner: 'Packwatch sandbox',
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    size: MAX_MAIL_BYTES,
    disableReverseLookup: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    onAuth(auth, _session, callback) {
      callback(null, { user: auth.username ?? 'anonymous' });
    },
    onConnect(session, callback) {
      answer('connection', '', session, callback).catch(callback);
    },
    onMailFrom(_address, session, callback) {
      answer('sender', '', session, callback).catch(callback);
    },
    onRcptTo({ address }, session, callback) {
      answer('recipient', address, session, callback).catch(callback);
    },
    onData(stream, session, callback) {
      receive(stream, session, callback).catch(callback);
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
    /** How many answers are being delayed. */
    waiting: (): number => faults.waiting(),
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

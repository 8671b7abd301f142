import { setTimeout as startTimer } from 'node:timers';
import { createTransport } from 'nodemailer';
import { MINUTE, SECOND } from '../../clock';
import type { Config } from '../../config.server';
import type { Answer } from '../../outbox/outcome';
import { requiresStartTls } from './smtp-encryption';
import { enhancedStatusOf, isAboutAddress } from './smtp-reply';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import { connectTcp } from '../../network/connect/connect-tcp.server';

type GetSocket = NonNullable<SMTPPool.Options['getSocket']>;

const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;

/**
 * Opens the connections of a nodemailer transport as for every other service: nodemailer itself ends each attempt but the
 * last after 250 ms when a server has addresses of both families.
 */
function openSmtpSocket({ timeoutMs }: { timeoutMs: number }): GetSocket {
  return ({ host, port, secure }, callback) => {
    const usual = secure === true ? SMTPS_PORT : SUBMISSION_PORT;
    connectTcp({ hostname: host ?? 'localhost', port: Number(port) || usual }, { timeoutMs }).then(
      (connection) => callback(null, { connection }),
      (error: Error) => callback(error),
    );
  };
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** In angle brackets; equal for every attempt (`messageIdOf`), so that a mailbox can drop a repeat. */
  messageId?: string;
  headers?: Record<string, string>;
}

/** The Message-ID of an outbox row's mail. */
export function messageIdOf(rowId: string, appUrl: string): string {
  return `<${rowId}@${new URL(appUrl).hostname}>`;
}

/**
 * What the mail server answered. `retry`: the server did not get the whole mail, or refused it temporarily; `uncertain`
 * when it got the whole mail and did not answer. `gone`: a refusal for good that is about the recipient's address, which
 * then gets no other mail either.
 */
export type MailAnswer = Answer<object, 'address'>;

export interface Mailer {
  /** `signal` ends the attempt. Never throws: it classifies faults. */
  send(mail: Mail, signal?: AbortSignal): Promise<MailAnswer>;
  /** Ends every attempt under way. */
  abort(): void;
  close(): void;
}

/** Connecting, the greeting, and TLS. */
const CONNECT_LIMIT_MS = 30 * SECOND;
/**
 * Everything before the final dot. RFC 5321, section 4.5.3.2, gives each command up to five minutes; ending earlier costs
 * only a repeat, because a server delivers nothing before the final dot, and a code is of use for ten minutes.
 */
const UNSENT_LIMIT_MS = MINUTE;
/** From the final dot to its answer: RFC 5321, section 4.5.3.2.6. */
const ANSWER_LIMIT_MS = 10 * MINUTE;
/** An unused connection is closed, because a firewall may drop it silently. */
const IDLE_LIMIT_MS = 15 * SECOND;

/** Connections of a pool for mails to single people; most are opened only while answers are slow. */
export const MAIL_CONNECTIONS = 25;
/** Connections for alerts to all members: at 200 ms a mail they send 100 in a second. */
export const ALERT_MAIL_CONNECTIONS = 20;
/** With those that wait for slow answers. */
export const ALERT_MAIL_CONNECTIONS_AT_MOST = 60;

/** The beginning of the reason of a refusal that is about the recipient's address. */
export const ADDRESS_REFUSED = 'the mail server refused the address with';

/** The beginning of the reason of a temporary refusal. */
export const MAIL_ANSWERED = 'the mail server answered';

function faultOf(error: unknown) {
  const fields = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return {
    /** The three digits of the reply; null without a reply. */
    status: typeof fields.responseCode === 'number' ? fields.responseCode : null,
    /** nodemailer's name of the fault, such as ECONNECTION. */
    code: typeof fields.code === 'string' ? fields.code : 'fault',
    /** The command that was refused. */
    command: typeof fields.command === 'string' ? fields.command : '',
    response: typeof fields.response === 'string' ? fields.response : '',
  };
}

const NO_ENCRYPTION =
  'the mail server offers no working encryption (STARTTLS), so nothing was sent; use smtps:// in SMTP_URL, or end it with ?requireTLS=false to send unencrypted';

/** The server wants a login, or another one (RFC 4954, section 6), whichever command it refuses. */
const WANTS_LOGIN = new Set([530, 534, 535, 538]);

/** `sent`: the whole mail, with its final dot, was written. `ended`: why we ended the attempt, as the end of a sentence. */
function classifyError(error: unknown, { sent, ended }: { sent: boolean; ended: string | null }): MailAnswer {
  const { status, code, command, response } = faultOf(error);
  if (code === 'ETLS') return { kind: 'retry', reason: NO_ENCRYPTION };
  const how = ended ?? `(${code})`;
  // A reply to the final dot that is no refusal, such as an unfinished line, leaves the mail uncertain as well.
  if (sent && (status === null || status < 400))
    return { kind: 'retry', uncertain: true, reason: `the mail server did not confirm the mail ${how}` };
  // The reply's text may contain the address; its enhanced status says enough.
  if (status === null) return { kind: 'retry', reason: `the mail server did not answer ${how}` };
  const reply = { status, text: response };
  const answered = [status, enhancedStatusOf(reply)].filter((part) => part !== null).join(' ');
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  // RFC 5321, section 4.2.1: 5yz is a permanent refusal, 4yz one to try again. A refused greeting or login is a fault of
  // the server or of our settings, not of this mail.
  if (status < 500 || !isAboutMail || WANTS_LOGIN.has(status))
    return { kind: 'retry', reason: `${MAIL_ANSWERED} ${answered}` };
  if (command === 'RCPT TO' && isAboutAddress(reply))
    return { kind: 'gone', what: 'address', status, reason: `${ADDRESS_REFUSED} ${answered}` };
  return { kind: 'rejected', status, reason: `the mail server refused with ${answered}` };
}

/** A mail with a callback for the moment when its last byte was handed to the connection. */
interface TrackedMail {
  onSent?: () => void;
}

/**
 * Sends mail over pooled SMTP connections; null when mail is switched off. `connections`: the most at a time; a
 * `maxConnections` parameter of SMTP_URL takes precedence, for servers that allow fewer. The limits are milliseconds.
 */
export function createMailer(
  settings: Config['mail'],
  {
    connections = MAIL_CONNECTIONS,
    unsentLimitMs = UNSENT_LIMIT_MS,
    answerLimitMs = ANSWER_LIMIT_MS,
  }: { connections?: number; unsentLimitMs?: number; answerLimitMs?: number } = {},
): Mailer | null {
  if (settings === null) return null;
  const transport = createTransport({
    url: settings.smtpUrl,
    pool: true,
    maxConnections: connections,
    requireTLS: requiresStartTls(settings.smtpUrl),
    connectionTimeout: CONNECT_LIMIT_MS,
    getSocket: openSmtpSocket({ timeoutMs: CONNECT_LIMIT_MS }),
    greetingTimeout: CONNECT_LIMIT_MS,
    // The limits below end an attempt earlier.
    socketTimeout: unsentLimitMs + answerLimitMs,
    idleTimeout: IDLE_LIMIT_MS,
  });
  // nodemailer reports a lost connection alike in every phase, so whether the mail was sent is observed here.
  transport.use('stream', (mail, done) => {
    const { onSent } = mail.data as TrackedMail;
    mail.message.processFunc((stream) => (onSent === undefined ? stream : stream.once('end', onSent)));
    done();
  });
  const attempts = new Set<() => void>();
  return {
    async send(mail, signal) {
      const attempt = new AbortController();
      let ended: string | null = null;
      const end = (how: string) => {
        ended ??= how;
        attempt.abort();
      };
      const endAfter = (ms: number) => startTimer(end, ms, `within ${ms / SECOND} s`);
      const stop = () => end('before we stopped');
      let timer = endAfter(unsentLimitMs);
      let sent = false;
      const onSent = () => {
        sent = true;
        clearTimeout(timer);
        timer = endAfter(answerLimitMs);
      };
      attempts.add(stop);
      if (signal?.aborted === true) stop();
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const tracked = { from: settings.from, ...mail, signal: attempt.signal, onSent };
        await transport.sendMail(tracked);
        return { kind: 'ok', status: 250 };
      } catch (error) {
        return classifyError(error, { sent, ended });
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        attempts.delete(stop);
      }
    },
    abort() {
      for (const stop of attempts) stop();
    },
    close: () => transport.close(),
  };
}

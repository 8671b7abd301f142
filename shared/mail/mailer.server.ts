import { createTransport } from 'nodemailer';
import { SECOND } from '../clock';
import type { Config } from '../config.server';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** In angle brackets; generated when left out. */
  messageId?: string;
  headers?: Record<string, string>;
}

/**
 * What the mail server answered. `retry`: a fault of the server or a temporary refusal. `rejected`: a refusal for good;
 * `bounced` when it is about the recipient's address, which then gets no other mail either.
 */
export type MailAnswer =
  | { is: 'ok' }
  | { is: 'retry'; reason: string }
  | { is: 'rejected'; status: number; reason: string; bounced: boolean };

export interface Mailer {
  /** `signal` ends the attempt. */
  send(mail: Mail, signal?: AbortSignal): Promise<MailAnswer>;
  close(): void;
}

/** Connections for alerts to all members: at 200 ms a mail they send 100 in a second. */
export const ALERT_MAIL_CONNECTIONS = 20;

/** The enhanced status of an SMTP reply (RFC 3463): "550 5.1.1 No such user" has 5.1.1. Null without one. */
function enhancedStatusOf(response: string): string | null {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? null;
}

/**
 * Whether a refusal of RCPT TO is about the address. RFC 3463: X.1.1 to X.1.6 and X.1.10 are about the recipient's address,
 * X.2.1 is a disabled mailbox; all others are about our server, the message or a policy ("relay denied"). Without an
 * enhanced status: RFC 5321, section 4.2.3: 550 no mailbox, 551 not local, 553 mailbox name not allowed.
 */
function isAboutAddress(status: number, response: string): boolean {
  const enhanced = enhancedStatusOf(response);
  if (enhanced === null) return status === 550 || status === 551 || status === 553;
  return /^5\.(1\.([1-6]|10)|2\.1)$/.test(enhanced);
}

interface SmtpFault {
  /** The three digits of the reply; null without a reply. */
  status: number | null;
  /** nodemailer's name of the fault, such as ECONNECTION. */
  code: string;
  /** The command that was refused. */
  command: string;
  response: string;
}

function faultOf(error: unknown): SmtpFault {
  const fields = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return {
    status: typeof fields.responseCode === 'number' ? fields.responseCode : null,
    code: typeof fields.code === 'string' ? fields.code : 'fault',
    command: typeof fields.command === 'string' ? fields.command : '',
    response: typeof fields.response === 'string' ? fields.response : '',
  };
}

function classifyError(error: unknown): MailAnswer {
  const { status, code, command, response } = faultOf(error);
  // The reply's text may contain the address; its enhanced status says enough.
  if (status === null) return { is: 'retry', reason: `the mail server did not answer (${code})` };
  const answered = [status, enhancedStatusOf(response)].filter((part) => part !== null).join(' ');
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  // RFC 5321, section 4.2.1: 5yz is a permanent refusal, 4yz one to try again. A refused greeting or login is a fault of
  // the server or of our settings, not of this mail.
  if (status < 500 || !isAboutMail) return { is: 'retry', reason: `the mail server answered ${answered}` };
  const bounced = command === 'RCPT TO' && isAboutAddress(status, response);
  return {
    is: 'rejected',
    status,
    bounced,
    reason: bounced
      ? `the mail server refused the address with ${answered}`
      : `the mail server refused with ${answered}`,
  };
}

/**
 * Sends mail over pooled SMTP connections; null when mail is switched off. `connections`: the most at a time; a
 * `maxConnections` parameter of SMTP_URL takes precedence, for servers that allow fewer. `send` never throws: it
 * classifies faults.
 */
export function createMailer(
  settings: Config['mail'],
  { connections = 5 }: { connections?: number } = {},
): Mailer | null {
  if (settings === null) return null;
  const transport = createTransport({
    url: settings.smtpUrl,
    pool: true,
    maxConnections: connections,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 15 * SECOND,
  });
  return {
    async send(mail, signal) {
      try {
        await transport.sendMail({ from: settings.from, ...mail, signal });
        return { is: 'ok' };
      } catch (error) {
        return classifyError(error);
      }
    },
    close: () => transport.close(),
  };
}

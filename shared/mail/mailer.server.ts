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

export type MailAnswer =
  { is: 'ok' } | { is: 'retry'; reason: string } | { is: 'rejected'; status: number; reason: string };

export interface Mailer {
  send(mail: Mail): Promise<MailAnswer>;
  close(): void;
}

function classifyError(error: unknown): MailAnswer {
  const status =
    typeof error === 'object' &&
    error !== null &&
    'responseCode' in error &&
    typeof error.responseCode === 'number'
      ? error.responseCode
      : null;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'fault';
  // RFC 5321, section 4.2.1: 5yz is a permanent refusal, 4yz one to try again.
  if (status !== null && status >= 500)
    return { is: 'rejected', status, reason: `the mail server refused with ${status}` };
  return {
    is: 'retry',
    reason:
      status === null ? `the mail server did not answer (${code})` : `the mail server answered ${status}`,
  };
}

/**
 * Sends mail over pooled SMTP connections; null when mail is switched off. `send` never throws: it classifies faults.
 */
export function createMailer(settings: Config['mail']): Mailer | null {
  if (settings === null) return null;
  const transport = createTransport({
    url: settings.smtpUrl,
    pool: true,
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 15 * SECOND,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail({ from: settings.from, ...mail });
        return { is: 'ok' };
      } catch (error) {
        return classifyError(error);
      }
    },
    close: () => transport.close(),
  };
}

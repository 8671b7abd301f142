import { pino, type Logger } from 'pino';
import type { Config } from './config.server';

export type { Logger } from 'pino';

/** Values under these names never reach a log line, at any depth that our own objects have. */
const SECRET_FIELDS = [
  'apiKey',
  'token',
  'webhookUrl',
  'smtpUrl',
  'password',
  'secret',
  'clientSecret',
  'browserKey',
  'recipient',
  'cookie',
  'authorization',
  'email',
  'code',
];

/**
 * One JSON object per event on standard output; readable lines when a terminal watches.
 * `part` names the process or worker that speaks.
 */
export function createLogger(config: Pick<Config, 'logLevel'>, part: string): Logger {
  const redact = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino({
    level: config.logLevel,
    base: { part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: redact, censor: '[secret]' },
    ...(process.stdout.isTTY
      ? {
          transport: {
            target: 'pino-pretty',
            options: { colorize: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid' },
          },
        }
      : {}),
  });
}

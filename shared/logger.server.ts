import { pino, type Logger } from 'pino';
import type { Config } from './config.server';
import { terminalLogLine, terminalText } from './terminal-text';

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
 * One JSON object per event on standard output; readable lines when a terminal watches. Texts from outside cannot control
 * the terminal in either form.
 * `part` names the process or worker that speaks.
 */
export function createLogger(config: Pick<Config, 'logLevel'>, part: string): Logger {
  const redact = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const options = {
    level: config.logLevel,
    base: { part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redact, censor: '[secret]' },
  };
  if (!process.stdout.isTTY) {
    // Each line is written at once: none is lost with a process that is killed, and the flush at exit, which never
    // ends once the reader of a pipe is gone (sonic-boom tries again for ever), has nothing left to do.
    return pino(
      { ...options, hooks: { streamWrite: terminalText } },
      pino.destination({ dest: process.stdout.fd, sync: true }),
    );
  }
  return pino({
    ...options,
    hooks: { streamWrite: terminalLogLine },
    transport: {
      target: 'pino-pretty',
      options: { colorize: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid' },
    },
  });
}

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
 * One JSON object per event on standard output; readable lines when standard output is a terminal. Texts from outside
 * cannot control the terminal in either form.
 * `part` names the process. `readFields` gives fields for each line at the time it is logged, such as the request's id.
 */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  part: string,
  readFields?: () => object,
): Logger {
  const redact = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const options = {
    level: config.logLevel,
    base: { part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redact, censor: '[secret]' },
    ...(readFields && { mixin: () => readFields() }),
  };
  if (!process.stdout.isTTY) {
    // Synchronous: a killed process loses no line, and the flush at exit, which never ends once the reader of a pipe is
    // gone (sonic-boom retries for ever), has nothing left to do.
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

import { pino, type Logger } from 'pino';
import type { Config } from './config.server';
import { terminalLogLine, terminalText } from './terminal-text';

export type { Logger } from 'pino';

/** Values under these names are redacted from log lines, up to two levels deep. */
const SECRET_FIELDS = [
  'apiKey',
  'token',
  'webhookUrl',
  'endpoint',
  'p256dh',
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
 * The codes of errors: an SQLSTATE (`57P01`), a name of the operating system or of SQLite (`ECONNRESET`), or one of this product or
 * of Stripe (`disk_full`). Codes that people enter have six digits; those of Discord mix upper and lower case.
 */
const ERROR_CODE = /^(?:[0-9A-Z]{5}|[A-Z][A-Z0-9_]{3,40}|[a-z]+(?:_[a-z]+)+)$/;

/** Replaces the value of a secret field, but for the code of an error. The path does not name the field above `code`. */
function censor(value: unknown, path: readonly string[]): unknown {
  return path.at(-1) === 'code' && typeof value === 'string' && ERROR_CODE.test(value) ? value : '[secret]';
}

/**
 * Creates a logger: one JSON object per event on standard output, or readable lines when standard output is a
 * terminal. Outside text cannot control the terminal in either form. `part` names the process. `readFields` is called
 * per line for additional fields, such as the request's id.
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
    redact: { paths: redact, censor },
    ...(readFields && { mixin: () => readFields() }),
  };
  if (!process.stdout.isTTY) {
    // Synchronous, so that a killed process loses no line and the flush at exit has nothing to do: sonic-boom would
    // retry it forever once the reader of a pipe is gone.
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

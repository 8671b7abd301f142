import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLogger, type Logger } from './logger.server';

/** The lines that `work` logs, as objects. */
function logged(work: (log: Logger) => void): Record<string, unknown>[] {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-log-'));
  const file = join(folder, 'log');
  const { fd, isTTY } = process.stdout;
  Object.defineProperty(process.stdout, 'fd', { value: openSync(file, 'w'), configurable: true });
  process.stdout.isTTY = false;
  try {
    work(createLogger({ logLevel: 'info' }, 'test'));
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  } finally {
    closeSync(process.stdout.fd);
    Object.defineProperty(process.stdout, 'fd', { value: fd, configurable: true });
    process.stdout.isTTY = isTTY;
    rmSync(folder, { recursive: true });
  }
}

it('the log names the code of an error, and hides a code that people enter', () => {
  const error = Object.assign(new Error('the server stops'), { code: '57P01' });
  const [fault, nested, sent, odd] = logged((log) => {
    log.warn({ err: error }, 'a fault');
    log.warn({ fields: { err: { code: 'ECONNRESET' } } }, 'a fault below');
    log.info({ code: '123456', mail: { code: '123456' }, token: 'abc' }, 'a code');
    log.warn({ err: Object.assign(new Error('odd'), { code: '123456' }) }, 'an odd error');
  });
  expect(fault).toMatchObject({ err: { code: '57P01' } });
  expect(nested).toMatchObject({ fields: { err: { code: 'ECONNRESET' } } });
  expect(sent).toMatchObject({ code: '[secret]', mail: { code: '[secret]' }, token: '[secret]' });
  expect(odd).toMatchObject({ err: { code: '[secret]' } });
});

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Changes } from '../service';
import type { Store } from './store';

const SAVE_EVERY_MS = 1_000;

const savedSchema = z.object({
  clockOffset: z.int().min(0),
  store: z.unknown(),
});

/**
 * Keeps Stripe's objects and its clock in a file, because the site's database refers to them: without the file, a restart
 * of `npm start` would leave members with customers and subscriptions that Stripe does not know. Reads the file now and
 * writes it within a second of a change, and at `close`.
 * @throws Error when the file cannot be read; it says what to do
 */
export function keepInFile(file: string, store: Store, changes: Changes): { close(): void } {
  let saved = -1;
  const save = () => {
    if (changes.revision() === saved) return;
    saved = changes.revision();
    mkdirSync(dirname(file), { recursive: true });
    const content = { clockOffset: store.clock.offset(), store: store.snapshot() };
    writeFileSync(`${file}.draft`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${file}.draft`, file);
  };

  if (existsSync(file)) {
    try {
      const { clockOffset, store: objects } = savedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      store.restore(objects);
      store.clock.setOffset(clockOffset);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${file} cannot be read (${reason}): delete it to begin with an empty Stripe`, {
        cause: error,
      });
    }
  }
  saved = changes.revision();
  const timer = setInterval(save, SAVE_EVERY_MS);
  timer.unref();
  return {
    close() {
      clearInterval(timer);
      save();
    },
  };
}

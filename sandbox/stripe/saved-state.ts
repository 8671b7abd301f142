import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Changes } from '../service';
import type { AnyEvent } from './events/event-log';
import type { SavedRequest } from './rest/idempotency';
import type { StripeSandbox } from './stripe';

const SAVE_EVERY_MS = 1_000;

const savedSchema = z.object({
  clockOffset: z.int().min(0),
  store: z.unknown(),
  events: z.array(z.custom<AnyEvent>()),
  idempotencyKeys: z.array(z.custom<[string, SavedRequest]>()),
});

/**
 * Keeps Stripe's objects, clock, events and idempotency keys in a file. The site's database refers to them: without the
 * file, a restart of `npm start` would leave members with customers and subscriptions that Stripe does not know. Reads
 * the file now and writes it within a second of a change, and at `close`. @throws Error, with advice, when the file
 * cannot be read
 */
export function keepInFile(
  file: string,
  stripe: Pick<StripeSandbox, 'snapshot' | 'restore'>,
  changes: Changes,
): { close(): void } {
  let saved = -1;
  const save = () => {
    if (changes.revision() === saved) return;
    saved = changes.revision();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.draft`, JSON.stringify(stripe.snapshot()), { mode: 0o600 });
    renameSync(`${file}.draft`, file);
  };

  if (existsSync(file)) {
    try {
      stripe.restore(savedSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
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

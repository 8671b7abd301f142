import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SECOND } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import type { Judgement } from '#shared/monitor/checks/verdict';
import type { JudgedPage } from '../judging/judge-outcome';

/** Enough for a page of 5 MiB; a page of 600 KB needs a tenth. */
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
/** Loading the program takes some 50 ms on an idle machine. */
const START_LIMIT_MS = 20 * SECOND;
/** A thread ends at once, unless it is in a V8 call that cannot be interrupted. */
const END_LIMIT_MS = 5 * SECOND;
/** A time limit is split into this many timers, so that a thread keeps most of it when the machine was suspended. */
const PARTS = 4;

/** The reason why a page was not judged. */
export function notJudged(reason: string): Judgement {
  return { verdict: 'unknown', strength: null, unknownReason: 'error', reason, signs: [] };
}

export interface JudgingLane {
  /** Judges a page, one at a time. Never rejects: a fault, or more than `limitMs`, is an `unknown` judgement. */
  judge(page: JudgedPage, limitMs: number): Promise<Judgement>;
  close(): Promise<void>;
}

interface Thread {
  worker: Worker;
  /** Whether the program has reported that it is ready. */
  isReady: boolean;
  /** Why the thread has ended, or null. */
  fault: Error | null;
  /** Receives the thread's next message, or the reason why there is none. */
  receive: ((message: unknown, fault: Error | null) => void) | null;
}

class LateError extends Error {}

/**
 * Judges pages in a thread of limited memory. A thread that exceeds a limit or ends unexpectedly is replaced when the next
 * page comes. `program`: the URL of the bundled `judge-thread.ts`.
 */
export function createJudgingLane({ program, logger }: { program: URL; logger: Logger }): JudgingLane {
  let thread: Thread | null = null;

  function startThread(): Thread {
    const worker = new Worker(program, { resourceLimits: MEMORY_LIMIT });
    worker.unref();
    const started: Thread = { worker, isReady: false, fault: null, receive: null };
    // An error comes before the exit that it causes.
    const fail = (error: Error): void => {
      started.fault ??= error;
      if (thread === started) {
        thread = null;
        logger.warn({ err: started.fault }, 'the judging thread failed');
      }
      started.receive?.(null, started.fault);
    };
    worker.on('message', (message) => started.receive?.(message, null));
    worker.on('error', fail);
    worker.on('messageerror', fail);
    worker.on('exit', () => fail(new Error('the judging thread has ended')));
    return started;
  }

  /** Ends the thread, even if it does not respond. */
  async function endThread(): Promise<void> {
    const ending = thread;
    thread = null;
    if (ending === null) return;
    const stop = new AbortController();
    const ended = await Promise.race([
      ending.worker.terminate().then(() => true),
      sleep(END_LIMIT_MS, false, { signal: stop.signal }),
    ]);
    stop.abort();
    if (!ended) logger.error('a judging thread does not end');
  }

  /** Resolves with the thread's next message. Rejects when the thread ends, or with `LateError` after `limitMs`. */
  async function nextMessage(from: Thread, limitMs: number, send = () => {}): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        from.receive = (message, fault) => (fault === null ? resolve(message) : reject(fault));
        const wait = (parts: number): void => {
          timer = setTimeout(() => (parts > 1 ? wait(parts - 1) : reject(new LateError())), limitMs / PARTS);
        };
        wait(PARTS);
        if (from.fault !== null) reject(from.fault);
        send();
      });
    } finally {
      clearTimeout(timer);
      from.receive = null;
    }
  }

  async function judgeInThread(
    { answer, errorMessage, product }: JudgedPage,
    limitMs: number,
  ): Promise<Judgement> {
    const current = (thread ??= startThread());
    if (!current.isReady) {
      await nextMessage(current, START_LIMIT_MS);
      current.isReady = true;
    }
    return (await nextMessage(current, limitMs, () =>
      current.worker.postMessage({ answer, errorMessage, product } satisfies JudgedPage),
    )) as Judgement;
  }

  return {
    async judge(page, limitMs) {
      try {
        return await judgeInThread(page, limitMs);
      } catch (error) {
        await endThread();
        return notJudged(reasonOf(error, limitMs));
      }
    },
    close: endThread,
  };
}

function reasonOf(error: unknown, limitMs: number): string {
  if (error instanceof LateError) {
    const seconds = Math.max(1, Math.round(limitMs / SECOND));
    return `Judging the page took longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  }
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return 'Judging the page needed too much memory.';
  return `The page could not be judged: ${error instanceof Error ? error.message : String(error)}.`;
}

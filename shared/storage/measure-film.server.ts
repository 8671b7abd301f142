import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { SECOND } from '../clock';
import { FILM_THREAD, type FilmAnswer, type FilmTask } from './film-thread';

/** What browsers play, with the ending that its type is served by. */
export const FILM_ENDINGS = { 'video/mp4': 'mp4', 'video/webm': 'webm' } as const;

export type FilmType = keyof typeof FILM_ENDINGS;

/** An hour at sixty pictures a second has an index of some 5 MB; a film of our size is shorter. */
const MOST_BYTES_READ = 8 * 1024 * 1024;
/** Reading an index of that size takes a tenth of it, unless every byte of it was written to cost memory. */
const MOST_HEAP_MB = 128;
/** Starting the thread takes longer than what it does. */
const MEASURING_LIMIT_MS = 10 * SECOND;

/** One film at a time in each process, so that what its thread may take is taken once. */
const oneAtATime = pLimit(1);

const library = (): string => createRequire(import.meta.url).resolve('mediabunny');

/** The file is no film: its container cannot be read within its bounds, or holds no moving pictures. */
export class FilmRefused extends Error {
  constructor(cause?: unknown) {
    super('the film is refused', { cause });
    this.name = 'FilmRefused';
  }
}

/**
 * Reads a container in a thread of its own with a heap of its own: an index can be written so that its reader makes
 * objects without an end, or compares each of them with each other. Such a thread ends; this one goes on.
 */
function inThread(task: FilmTask, limitMs: number): Promise<FilmAnswer> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(FILM_THREAD, {
      eval: true,
      workerData: task,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    });
    const giveUp = setTimeout(() => {
      reject(new FilmRefused(new Error('reading the film takes too long')));
      void thread.terminate();
    }, limitMs);
    thread.once('message', resolve);
    thread.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new FilmRefused(error) : error),
    );
    thread.once('exit', (code) => {
      clearTimeout(giveUp);
      reject(new Error(`the thread that measures films ended by itself, with ${code}`));
    });
  });
}

/**
 * How large a film is shown, in pixels; null when it does not say. Reads the container only, and of that no more than
 * its index may take. Throws `FilmRefused`.
 */
export async function measureFilm(
  path: string,
  { limitMs = MEASURING_LIMIT_MS } = {},
): Promise<{ width: number; height: number } | null> {
  const task = { path, library: library(), mostBytes: MOST_BYTES_READ };
  const answer = await oneAtATime(() => inThread(task, limitMs));
  if ('refused' in answer) throw new FilmRefused(new Error(answer.refused));
  const { width, height } = answer;
  return width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : null;
}

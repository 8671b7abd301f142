import { SECOND } from '#shared/clock';
import { refusalText } from '../download-texts';
import type { ReceivedBytes } from './received-bytes';

/** A request that receives nothing for this long is aborted, and another one continues. */
const STALL_LIMIT_MS = 30 * SECOND;
const MAX_PAUSE_MS = 15 * SECOND;

/** Maximum attempts in a row that received nothing. Fewer before the first byte: the server is probably down. */
const MAX_FAILURES = 10;
const MAX_FAILURES_AT_START = 3;

/** How often a download begins again because the file was replaced. */
const MAX_RESTARTS = 3;

/** Statuses of failures that a later request may not have (RFC 9110, section 15; RFC 6585, section 4). */
const TEMPORARY = [429, 500, 502, 503, 504];

/** How a download ended. */
export type FetchedFile =
  | { kind: 'file'; file: Blob }
  /** The page cannot hold the file, or another host sends it: the browser itself has to download it. */
  | { kind: 'browser' }
  /** `gone`: the file no longer exists. */
  | { kind: 'refused'; text: string; gone: boolean }
  /** The connection broke too often. What arrived stays, for another try. */
  | { kind: 'broken' }
  | { kind: 'cancelled' };

/** How one request ended. `arrived`: how many bytes it received. `restart`: the earlier bytes belong to another file. */
type Attempt = FetchedFile | { kind: 'interrupted'; arrived: number; restart: boolean };

interface Options {
  address: string;
  /** The size of the file in bytes if the server does not say it. */
  fileSize: number;
  /** Larger files are downloaded by the browser itself. Bytes. */
  limitBytes: number;
  received: ReceivedBytes;
  signal: AbortSignal;
  onProgress: (progress: { received: number; total: number }) => void;
  /** Called when the connection breaks. */
  onBreak: () => void;
  /** Waits before attempt `failures + 1`. */
  pause?: (failures: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Downloads a file of our API into memory. After a broken connection it requests only the rest, by Range and If-Range
 * (RFC 9110, sections 13.1.5 and 14.2), and restarts if the file was replaced. Never throws.
 */
export async function fetchFile(options: Options): Promise<FetchedFile> {
  const { received, signal, onBreak, pause = pauseBeforeRetry } = options;
  let failures = 0;
  let restarts = 0;
  for (;;) {
    const attempt = await fetchRest(options);
    if (attempt.kind !== 'interrupted') return attempt;
    failures = attempt.arrived > 0 ? 1 : failures + 1;
    if (attempt.restart) restarts += 1;
    const maxFailures = received.size > 0 ? MAX_FAILURES : MAX_FAILURES_AT_START;
    if (failures > maxFailures || restarts > MAX_RESTARTS) return { kind: 'broken' };
    onBreak();
    await pause(failures, signal);
    if (signal.aborted) return { kind: 'cancelled' };
  }
}

/** Waits longer after each failure, and without a connection until the browser has one again. Ends when `signal` aborts. */
function pauseBeforeRetry(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      window.removeEventListener('online', finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const ms = Math.min(2 ** (failures - 1) * SECOND, MAX_PAUSE_MS);
    const timer = navigator.onLine ? setTimeout(finish, ms) : undefined;
    window.addEventListener('online', finish);
    signal.addEventListener('abort', finish);
  });
}

/** A signal that aborts `STALL_LIMIT_MS` after the last `reset`, or by `stop`. */
function startStallTimer() {
  const controller = new AbortController();
  const stop = () => controller.abort();
  let timer = setTimeout(stop, STALL_LIMIT_MS);
  return {
    signal: controller.signal,
    reset() {
      clearTimeout(timer);
      timer = setTimeout(stop, STALL_LIMIT_MS);
    },
    stop() {
      clearTimeout(timer);
      stop();
    },
  };
}

async function fetchRest(options: Options): Promise<Attempt> {
  const { address, received, signal } = options;
  const before = received.size;
  const stall = startStallTimer();
  try {
    const response = await fetch(address, {
      headers: rangeHeaders(received),
      // Followed by the page, a redirect to other storage would need CORS there.
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.any([signal, stall.signal]),
    });
    return await readResponse(response, options, stall.reset);
  } catch {
    if (signal.aborted) return { kind: 'cancelled' };
    const arrived = Math.max(0, received.size - before);
    return { kind: 'interrupted', arrived, restart: received.size < before };
  } finally {
    stall.stop();
  }
}

/** Asks for the rest. Without an ETag the rest may belong to another file, so it asks for the whole file. */
function rangeHeaders({ size, etag }: ReceivedBytes): HeadersInit {
  return size === 0 || etag === null ? {} : { Range: `bytes=${size}-`, 'If-Range': etag };
}

async function readResponse(response: Response, options: Options, onBytes: () => void): Promise<Attempt> {
  const { received, limitBytes, onProgress } = options;
  // Browsers hide a redirect that is not followed; Node does not (fetch.spec.whatwg.org, "opaque-redirect").
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    return { kind: 'browser' };
  if (!response.ok) return refuse(response, received);
  const total = totalOf(response, options);
  if (total === null) return startOver(received);
  if (total > limitBytes) return { kind: 'browser' };
  const before = received.size;
  onProgress({ received: received.size, total });
  for await (const chunk of chunksOf(response)) {
    onBytes();
    received.add(chunk);
    onProgress({ received: received.size, total });
  }
  if (received.size === total) return { kind: 'file', file: received.toBlob() };
  if (received.size > total) return startOver(received);
  return { kind: 'interrupted', arrived: received.size - before, restart: false };
}

async function refuse(response: Response, received: ReceivedBytes): Promise<Attempt> {
  // The file is shorter than what arrived of an earlier one.
  if (response.status === 416) return startOver(received);
  if (received.size > 0 && TEMPORARY.includes(response.status))
    return { kind: 'interrupted', arrived: 0, restart: false };
  return { kind: 'refused', text: await refusalText(response), gone: response.status === 404 };
}

function startOver(received: ReceivedBytes): Attempt {
  received.clear();
  return { kind: 'interrupted', arrived: 0, restart: true };
}

/** The size of the whole file; null if the response does not continue what arrived. The server sends all of a new ETag. */
function totalOf(response: Response, { received, fileSize }: Options): number | null {
  const etag = response.headers.get('ETag');
  if (response.status !== 206) {
    received.clear();
    received.etag = etag;
    return Number(response.headers.get('Content-Length') ?? fileSize);
  }
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '');
  if (range === null || Number(range[1]) !== received.size || etag !== received.etag) return null;
  return Number(range[2]);
}

/** The chunks of a body. Safari's streams are not async iterables yet (caniuse.com, "ReadableStream: @@asyncIterator"). */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

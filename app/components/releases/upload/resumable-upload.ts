import type { DetailedError, Upload } from 'tus-js-client';
import { MINUTE, SECOND } from '#shared/clock';
import { RELEASE_FAILED } from '../release-texts';
import { forgetStoredUpload, readStoredUpload, storeUpload, type UploadedFile } from './stored-upload';
import { createTransferRate, secondsLeft } from './transfer-rate';
import { CONNECTION_LOST, describeUploadFailure, type UploadFailure } from './upload-failure';

const ENDPOINT = '/api/downloads/uploads';

/** A proxy that buffers whole requests, and a connection that breaks, lose at most this much. */
const CHUNK_BYTES = 32 * 1024 * 1024;
/** Waits between attempts, about ten minutes together. They restart after each byte that arrived. */
const RETRY_MS = [1, 2, 4, 8, 15, 30, 60, 60, 120, 120, 180].map((seconds) => seconds * SECOND);
const RETRY_CANCEL_MS = [SECOND, 3 * SECOND];
/** Not every lost connection causes an error: without progress for this long, the request is sent again. */
const STALL_LIMIT_MS = 45 * SECOND;
/** After the last byte the server reads the file once, and may copy it to another server. */
const CHECK_LIMIT_MS = 15 * MINUTE;
/** Users cannot read more frequent updates. */
const REPORT_INTERVAL_MS = SECOND / 4;

/** The state of an upload, for its view. */
export interface UploadState {
  /**
   * sending: bytes are on the way; checking: the server has them all; waiting: the next attempt follows automatically; failed:
   * `resumable` says whether it can continue.
   */
  phase: 'starting' | 'sending' | 'checking' | 'waiting' | 'paused' | 'failed' | 'done';
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | null;
  secondsLeft: number | null;
  /** Why it waits or failed. */
  reason: string | null;
  resumable: boolean;
  /** The server's id of the upload, once it is known. */
  id: string | null;
}

/** An upload of a release file with the tus protocol (tus.io, 1.0.0). */
export interface ResumableUpload {
  /** Starts it, or continues after the bytes that the server has: after a pause, a failure, or a reload of the page. */
  start(): void;
  /** Stops sending; the server keeps what arrived. */
  pause(): void;
  /** Removes it from the server. Resolves with false when that failed. */
  cancel(): Promise<boolean>;
}

function failureOf(error: Error | DetailedError): UploadFailure {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  if ('originalRequest' in error)
    return describeUploadFailure({
      status: response?.getStatus() ?? 0,
      text: response?.getBody() ?? '',
      method: error.originalRequest?.getMethod(),
    });
  return UNREADABLE;
}

const UNREADABLE: UploadFailure = {
  reason: 'The browser can no longer read this file, because it was changed or moved. Choose it again.',
  next: 'refused',
};

/** The library did not load; some browsers try again only in a new document. */
const NOT_LOADED: UploadFailure = {
  reason:
    'The upload part of this page did not load. Check your connection and press Resume, or reload the page and choose the file again.',
  next: 'resume',
};

/** Creates an upload. `report` gets each new state. */
export function createResumableUpload(
  target: UploadedFile,
  report: (state: UploadState) => void,
): ResumableUpload {
  const { file, version, platform } = target;
  const rate = createTransferRate();
  let state: UploadState = {
    phase: 'starting',
    sentBytes: 0,
    totalBytes: file.size,
    bytesPerSecond: null,
    secondsLeft: null,
    reason: null,
    resumable: false,
    id: null,
  };
  let upload: Upload | null = null;
  /** The attempt that may still change the state: a paused or cancelled one may not. */
  let run = 0;
  let reportedAt = 0;
  let progressAt = 0;
  let watchdog: number | undefined;

  function set(changes: Partial<UploadState>): void {
    const hasNewPhase = changes.phase !== undefined && changes.phase !== state.phase;
    state = { ...state, ...changes };
    const now = performance.now();
    if (!hasNewPhase && now - reportedAt < REPORT_INTERVAL_MS) return;
    reportedAt = now;
    report(state);
  }

  function stop(): void {
    run += 1;
    window.clearInterval(watchdog);
    window.removeEventListener('online', goOn);
    rate.clear();
    void upload?.abort().catch(() => undefined);
  }

  function fail({ reason, next }: UploadFailure): void {
    stop();
    if (next === 'gone' || next === 'refused') forgetStoredUpload(target);
    set({
      phase: 'failed',
      reason,
      resumable: next === 'retry' || next === 'resume',
      bytesPerSecond: null,
      secondsLeft: null,
    });
  }

  function onProgress(sentBytes: number, totalBytes: number): void {
    const now = performance.now();
    if (sentBytes !== state.sentBytes) progressAt = now;
    rate.note(sentBytes, now);
    const bytesPerSecond = rate.bytesPerSecond();
    set({
      phase: sentBytes < totalBytes ? 'sending' : 'checking',
      sentBytes,
      bytesPerSecond,
      secondsLeft: secondsLeft(totalBytes - sentBytes, bytesPerSecond),
      reason: null,
    });
  }

  /** The browser reports a file that it cannot read as a lost connection. */
  async function failIfUnreadable(): Promise<void> {
    const thisRun = run;
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      if (run === thisRun) fail(UNREADABLE);
    }
  }

  /** Continues immediately when the browser is online again. */
  function goOn(): void {
    if (state.phase === 'waiting') start();
  }

  function watch(): void {
    const limitMs = state.phase === 'checking' ? CHECK_LIMIT_MS : STALL_LIMIT_MS;
    if (state.phase === 'waiting' || performance.now() - progressAt < limitMs) return;
    set({ phase: 'waiting', reason: CONNECTION_LOST });
    start();
  }

  /** `address`: of an upload that the server has already; null: it creates one. */
  async function open(address: string | null): Promise<Upload> {
    const { Upload } = await import('tus-js-client');
    const isResumed = address !== null;
    const opened = new Upload(file, {
      ...(isResumed
        ? { uploadUrl: new URL(address, window.location.origin).href }
        : { endpoint: new URL(ENDPOINT, window.location.origin).href }),
      metadata: { filename: file.name, version, platform },
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_MS,
      // The library would delete the stored address after any refusal, such as that of an ended session.
      storeFingerprintForResuming: false,
      onUploadUrlAvailable() {
        if (opened.url === null) return;
        const { pathname } = new URL(opened.url);
        storeUpload(target, pathname);
        state.id = pathname.split('/').at(-1) ?? null;
        // With an endpoint the library would create a second upload whenever it cannot ask for the first.
        opened.options.endpoint = null;
      },
      onProgress,
      onShouldRetry(error) {
        const failure = failureOf(error);
        if (failure.next !== 'retry') return false;
        rate.clear();
        progressAt = performance.now();
        set({ phase: 'waiting', reason: failure.reason, bytesPerSecond: null, secondsLeft: null });
        void failIfUnreadable();
        return true;
      },
      onError(error) {
        const failure = failureOf(error);
        // An upload from an earlier visit may have expired.
        if (failure.next === 'gone' && isResumed && state.sentBytes === 0) {
          forgetStoredUpload(target);
          upload = null;
          start();
        } else if (failure.next === 'gone' && state.sentBytes === file.size) {
          // The answer to the last byte was lost.
          fail({ reason: 'This upload has ended. Check whether its file is listed.', next: 'gone' });
        } else fail(failure);
      },
      onSuccess() {
        stop();
        forgetStoredUpload(target);
        set({ phase: 'done', sentBytes: file.size, bytesPerSecond: null, secondsLeft: null });
      },
    });
    return opened;
  }

  function start(): void {
    stop();
    const thisRun = run;
    progressAt = performance.now();
    watchdog = window.setInterval(watch, SECOND);
    window.addEventListener('online', goOn);
    if (state.phase !== 'waiting') set({ phase: 'starting', reason: null });
    open(upload?.url ?? readStoredUpload(target)).then(
      (opened) => {
        if (run !== thisRun) return;
        upload = opened;
        opened.start();
      },
      () => {
        if (run === thisRun) fail(NOT_LOADED);
      },
    );
  }

  return {
    start,
    pause() {
      stop();
      set({ phase: 'paused', bytesPerSecond: null, secondsLeft: null });
    },
    async cancel() {
      stop();
      const address = upload?.url ?? null;
      if (address === null) return true;
      try {
        const { Upload } = await import('tus-js-client');
        await Upload.terminate(address, {
          retryDelays: RETRY_CANCEL_MS,
          onShouldRetry: (error) => failureOf(error).next === 'retry',
        });
      } catch (error) {
        if (failureOf(error as Error).next !== 'gone') {
          set({ phase: 'failed', reason: RELEASE_FAILED['cancel-upload'], resumable: true });
          return false;
        }
      }
      forgetStoredUpload(target);
      return true;
    },
  };
}

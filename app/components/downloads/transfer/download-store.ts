import { SECOND } from '#shared/clock';
import { reloadData } from '~/components/forms/reload-data';
import { DOWNLOAD_FAILED } from '../download-texts';
import { fetchFile, type FetchedFile } from './fetch-file';
import { createReceivedBytes } from './received-bytes';
import {
  READY,
  publishDownload,
  readDownload,
  type DownloadPlace,
  type DownloadState,
} from './download-state';
import type { FileView } from '../downloads-view';

/** Specification, section 9. */
const COMPLETE_SHOWN_MS = 3 * SECOND;
const ERROR_SHOWN_MS = 5 * SECOND;
const BROWSER_SHOWN_MS = 10 * SECOND;

const PROGRESS_INTERVAL_MS = 200;

/** A page keeps a file in blobs until it is saved, so larger ones are left to the browser's own download. */
const IN_PAGE_LIMIT_BYTES = 512 * 1024 * 1024;

/** A saved file's blob URL is revoked after this time, when every browser has begun to read it. */
const BLOB_URL_LIFETIME_MS = 60 * SECOND;

let running: AbortController | null = null;
/** The bytes of the last download that failed, for another attempt. */
let unfinished: { address: string; received: ReturnType<typeof createReceivedBytes> } | null = null;
let resetTimer: ReturnType<typeof setTimeout> | undefined;

const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/** Starts the download of a file, which continues between pages. False during another: the browser follows the link. */
export function startDownload(file: FileView, place: DownloadPlace): boolean {
  const { state } = readDownload();
  if (state.kind === 'downloading') return state.file.address === file.address;
  void run(file, place);
  return true;
}

/** Cancels the running download, if there is one. */
export function cancelDownload(): void {
  running?.abort();
}

async function run(file: FileView, place: DownloadPlace): Promise<void> {
  clearTimeout(resetTimer);
  const controller = new AbortController();
  running = controller;
  window.addEventListener('beforeunload', warnBeforeLeaving);
  const received = unfinished?.address === file.address ? unfinished.received : createReceivedBytes();
  unfinished = null;
  let progress = { received: received.size, total: file.fileSize };
  let publishedAt = 0;
  const publish = (connected: boolean) => {
    publishedAt = Date.now();
    publishDownload({ kind: 'downloading', file, place, connected, ...progress });
  };
  publish(true);
  const outcome = await fetchFile({
    address: file.address,
    fileSize: file.fileSize,
    limitBytes: IN_PAGE_LIMIT_BYTES,
    received,
    signal: controller.signal,
    onProgress(next) {
      progress = next;
      if (Date.now() - publishedAt >= PROGRESS_INTERVAL_MS) publish(true);
    },
    onBreak: () => publish(false),
  });
  running = null;
  window.removeEventListener('beforeunload', warnBeforeLeaving);
  if (outcome.kind === 'broken') unfinished = { address: file.address, received };
  settle(outcome, { file, place, replaced: received.etag !== `"${file.sha256}"` });
}

function settle(
  outcome: FetchedFile,
  { replaced, ...download }: { file: FileView; place: DownloadPlace; replaced: boolean },
): void {
  const { file } = download;
  // The page shows a file that no longer exists.
  if ((outcome.kind === 'file' && replaced) || (outcome.kind === 'refused' && outcome.gone)) reloadData();
  switch (outcome.kind) {
    case 'cancelled':
      return publishDownload(READY);
    case 'file':
      saveBlob(outcome.file, file.fileName);
      return showEnd({ kind: 'downloaded', ...download }, COMPLETE_SHOWN_MS);
    case 'browser':
      followLink(file.address);
      return showEnd({ kind: 'browser', ...download }, BROWSER_SHOWN_MS);
    case 'refused':
      return showEnd({ kind: 'error', text: outcome.text, ...download }, ERROR_SHOWN_MS);
    case 'broken':
      return showEnd({ kind: 'error', text: DOWNLOAD_FAILED, ...download }, ERROR_SHOWN_MS);
  }
}

/** Shows how a download ended, then resets the state. */
function showEnd(state: DownloadState, ms: number): void {
  publishDownload(state);
  resetTimer = setTimeout(() => publishDownload(READY), ms);
}

function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  followLink(address, fileName);
  setTimeout(() => URL.revokeObjectURL(address), BLOB_URL_LIFETIME_MS);
}

/** Follows a link as a click does. `fileName`: the name to save under; without it, the server's. */
function followLink(address: string, fileName?: string): void {
  const link = document.createElement('a');
  link.href = address;
  if (fileName !== undefined) link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
}

import { Server, type ServerOptions, ERRORS, type Locker } from '@tus/server';
import { SECOND } from '#shared/clock';
import { releaseUploadFields, toReleaseChanges } from '#shared/releases/release-fields';
import type { releaseOperations } from '#shared/releases/release-operations';
import { RELEASE_FILE_LIMIT_BYTES } from '#shared/releases/release';
import {
  findStoredSize,
  readReceivedBytes,
  removeUpload,
  requireBytesHere,
  uploadLocked,
  uploadNotFound,
} from '#shared/releases/resumable-upload.server';
import { findReleaseUpload } from '#shared/releases/release-uploads';
import { originalName } from '#shared/storage/file-rule';
import type { StorageContext } from '#shared/storage/upload-records';
import { z } from 'zod';
import { parseFields } from '~/http/api/input.server';
import type { PerformOf } from '~/http/auth/run-operation.server';
import { currentRequest } from '~/http/server/request-context.server';
import { serverContext } from '~/http/server/context.server';
import { invalidHeaders, requireTusRequest, tusFailure } from './tus-failures.server';
import { TUS_PATH } from './tus-path';
import { createTusStore } from './tus-store.server';
import { lockUpload, type UploadLock } from '#shared/releases/upload-lock';

/** The locks of the tus server. They hold across processes. */
function createTusLocker({ db, clock }: Pick<StorageContext, 'db' | 'clock'>): Locker {
  return {
    newLock(uploadId) {
      let held: UploadLock | undefined;
      return {
        async lock(signal, requestRelease) {
          const lock = await lockUpload(db, {
            uploadId,
            clock,
            signal,
            onWanted: () => void requestRelease(),
          });
          if (lock === 'missing') throw ERRORS.FILE_NOT_FOUND;
          if (lock === 'held') throw uploadLocked();
          held = lock;
        },
        async unlock() {
          await held?.release();
        },
      };
    },
  };
}

/** How long a request may continue when another one waits for its upload. */
const DRAIN_MS = SECOND / 2;

/** The request headers of tus that matter here. The others would let a client choose addresses. */
const REQUEST_HEADERS = [
  'Content-Type',
  'Content-Length',
  'Tus-Resumable',
  'Upload-Concat',
  'Upload-Defer-Length',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
];
/** Its response headers. The others allow other origins. */
const RESPONSE_HEADERS = [
  'Location',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
];

const metadataFields = releaseUploadFields.extend({
  filename: z.string('The file’s name is missing.').min(1, 'The file’s name is missing.'),
});

function context(): StorageContext {
  const { db, releaseStorage, clock } = serverContext();
  return { db, storage: releaseStorage, clock };
}

/** The bytes of a body that arrive. A broken connection ends the stream: the client continues after what is written. */
function untilBreak(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch {
        controller.close();
      }
    },
  });
}

/** The request as the tus server gets it: without headers of others, at the path of the upload. */
function tusRequest(request: Request, { method, id }: { method: string; id?: string }): Request {
  const headers = new Headers();
  for (const name of REQUEST_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  // Creation takes no bytes: the response of a long request would be lost with its upload's address.
  if (method === 'POST') headers.delete('Content-Type');
  const url = new URL(id === undefined ? TUS_PATH : `${TUS_PATH}/${id}`, request.url);
  const body = method === 'PATCH' && request.body !== null ? untilBreak(request.body) : null;
  return new Request(url, { method, headers, body, ...(body !== null && { duplex: 'half' }) });
}

function responseOf(response: Response): Response {
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  for (const name of RESPONSE_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(null, { status: response.status, headers });
}

/** What the calls of the protocol do with an upload: each its own operation, the others none. */
export interface TusOperations {
  begin?: PerformOf<typeof releaseOperations.beginUpload>;
  finish?: PerformOf<typeof releaseOperations.finishUpload>;
  cancel?: PerformOf<typeof releaseOperations.cancelUpload>;
}

/** The upload that a POST begins, by its metadata and length. */
function newUpload(headers: Headers, metadata: Record<string, string | null> | undefined) {
  const fields = new URLSearchParams(
    Object.entries(metadata ?? {}).map(([name, value]) => [name, value ?? '']),
  );
  const { filename, version, platform, ...changed } = parseFields(metadataFields, fields);
  return {
    version,
    platform,
    originalName: originalName(filename),
    fileSize: Number(headers.get('Upload-Length')),
    changes: toReleaseChanges(changed),
  };
}

/**
 * Passes a request to the tus server. `error`: what the server or one of its functions threw; the response is then a text
 * without our headers. `created`: the upload that a POST began, also if the POST failed.
 */
async function passToTus(
  request: Request,
  { begin, finish, id }: TusOperations & { id?: string },
): Promise<{ response: Response; error?: unknown; created?: string }> {
  const outcome: { error?: unknown; created?: string } = {};
  const options: ServerOptions = {
    path: TUS_PATH,
    maxSize: RELEASE_FILE_LIMIT_BYTES,
    relativeLocation: true,
    allowedOrigins: [],
    locker: createTusLocker(context()),
    lockDrainTimeout: DRAIN_MS,
    getFileIdFromRequest: () => id,
    async namingFunction({ headers }, metadata) {
      if (begin === undefined) throw ERRORS.FILE_NOT_FOUND;
      const { result } = await begin(newUpload(headers, metadata));
      return (outcome.created = result.id);
    },
    async onUploadFinish(_request, upload) {
      const finished = await finish?.({ id: upload.id });
      // Another request stored it, or it was refused or cancelled.
      if (finished?.result === null && (await findStoredSize(context().db, upload.id)) === null)
        throw uploadNotFound();
      return {};
    },
    onResponseError(_request, error) {
      outcome.error = error;
      return undefined;
    },
  };
  const server = new Server({ ...options, datastore: createTusStore(context()) });
  const response = await server.handleWeb(request);
  return { response, ...outcome };
}

/** The state of an upload whose file is stored already: the client lost the last response. Null for others. */
async function storedState(id: string): Promise<Response | null> {
  const size = await findStoredSize(context().db, id);
  if (size === null) return null;
  const length = String(size);
  return new Response(null, {
    headers: { 'Cache-Control': 'no-store', 'Upload-Length': length, 'Upload-Offset': length },
  });
}

/** Stores the file of an upload that is complete, but was not stored: the process crashed, or the storage was unavailable. */
async function finishIfComplete(id: string, finish: TusOperations['finish']): Promise<void> {
  const { db, storage } = context();
  const upload = await findReleaseUpload(db, id);
  if (upload !== null && upload.fileSize === (await readReceivedBytes(storage, id))) await finish?.({ id });
}

/**
 * Serves a request of the tus protocol (tus.io/protocols/resumable-upload, version 1.0.0): POST begins an upload, PATCH
 * appends bytes, HEAD returns how many have arrived, DELETE cancels, OPTIONS describes the server. `id`: of the upload, for
 * the calls that have one. The bytes of a broken request stay. Throws refusals and domain errors.
 */
export async function serveTus(
  request: Request,
  { id, ...operations }: TusOperations & { id?: string } = {},
): Promise<Response> {
  // Remix shows HEAD as it is, and other methods that it does not route as OPTIONS.
  const method = currentRequest()?.method ?? request.method;
  try {
    if (method !== 'OPTIONS') requireTusRequest(method, request.headers);
    // Any machine cancels an upload: the sweep of the machine that has its bytes removes them.
    if (id !== undefined && operations.cancel !== undefined) {
      await operations.cancel({ id });
      return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
    }
    if (id !== undefined && ['HEAD', 'PATCH'].includes(method)) await requireBytesHere(context(), id);
    if (id !== undefined && method === 'HEAD') {
      await finishIfComplete(id, operations.finish);
      const stored = await storedState(id);
      if (stored !== null) return stored;
    }
    const { response, error, created } = await passToTus(tusRequest(request, { method, id }), {
      ...operations,
      id,
    });
    if (response.ok) return responseOf(response);
    if (created !== undefined) await removeUpload(context(), created);
    if (error !== undefined) throw error;
    throw response.status === 400 ? invalidHeaders(await response.text()) : uploadNotFound();
  } catch (error) {
    throw tusFailure(error);
  }
}

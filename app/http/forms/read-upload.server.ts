import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { SECOND } from '#shared/clock';
import type { DomainError } from '#shared/errors';
import { originalName, type FileRule, type StagedFile } from '#shared/storage/file-rule';
import type { FileStorage } from '#shared/storage/storage';
import { serverContext } from '../server/context.server';
import { failureOf, HttpRefusal } from '../server/failures.server';
import { refuseCompressed } from './read-body.server';
import {
  IDLE_LIMIT_MS,
  malformedUpload,
  readToEnd,
  uploadTooLarge,
  type BodyLimit,
} from './upload-body.server';

/** Maximum size of one text field, unless a form sets another. */
const FIELD_LIMIT_BYTES = 64 * 1024;
const MAX_FIELDS = 100;
/** Maximum size of the part headers and boundaries together. */
const FRAMING_BYTES = 256 * 1024;
/**
 * For a form without parts the parser never finishes (@fastify/busboy 3.2.6, `Multipart.write`: `Dicer` has already ended
 * and never calls back). If no part has appeared this long after the end of the body, the form has none.
 */
const NO_PART_MS = SECOND / 10;

/** Follows one form while it arrives. */
export interface UploadGuard {
  /** Receives the files, instead of the storage of uploads. */
  storage: FileStorage;
  /**
   * Called before the body is read. `announcedBytes`: its size; null: unknown. `cancel` refuses the form at any time until it
   * has arrived. Throws to refuse it.
   */
  begin(form: { announcedBytes: number | null; cancel(refusal: Error): void }): Promise<void>;
  /** Called when a file begins, with the fields before it and the file's name. Throws to refuse the form. */
  admitFile(fields: URLSearchParams, name: string): Promise<void>;
  /** Called when the form has arrived. Returns the `recordId` of its files. Throws to refuse the form. */
  complete(fields: URLSearchParams): Promise<string | undefined>;
  /** Called at the end, in every case. Must not throw. */
  end(): Promise<void>;
}

/** The limits of a form with files. */
export interface UploadShape {
  /** The file fields; `max` files each, one by default. Files under other names are ignored. */
  files: Readonly<Record<string, FileRule & { max?: number }>>;
  /** Maximum size of one text field. */
  fieldLimitBytes?: number;
  /** For this request alone. */
  guard?: UploadGuard | undefined;
}

/** A file of a form: stored, or refused with a sentence. A refused file does not affect the others. */
export type ArrivedFile = { field: string; name: string } & (
  | { file: StagedFile; refused?: undefined }
  | { file?: undefined; refused: DomainError }
);

export interface Upload {
  fields: URLSearchParams;
  /** In order of arrival, without empty file fields. */
  files: ArrivedFile[];
}

/** The media type of a form that can carry files. */
export function isMultipart(request: Request): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(request.headers.get('Content-Type') ?? '');
}

function maxFieldBytes({ fieldLimitBytes = FIELD_LIMIT_BYTES }: UploadShape): number {
  return FRAMING_BYTES + fieldLimitBytes + FIELD_LIMIT_BYTES;
}

function maxBytes(shape: UploadShape): number {
  const ofFiles = Object.values(shape.files).map(
    ({ accepted, max = 1 }) => Math.max(0, ...Object.values(accepted)) * max,
  );
  return ofFiles.reduce((sum, bytes) => sum + bytes, maxFieldBytes(shape));
}

/** The refusal of a form that is too large. With a single file field it is that field's own sentence. */
function sizeRefusal({ files }: UploadShape): Error {
  const [rule, ...others] = Object.values(files);
  return rule === undefined || others.length > 0 ? uploadTooLarge() : rule.refusal('size');
}

function limitOf(request: Request, shape: UploadShape): BodyLimit {
  const bytes = maxBytes(shape);
  const announcedOver = Number(request.headers.get('Content-Length') ?? 0) > bytes;
  return {
    bytes,
    announcedOver,
    parsedBytes: announcedOver ? maxFieldBytes(shape) : bytes,
    refusal: sizeRefusal(shape),
  };
}

function createParser(
  request: Request,
  { fieldLimitBytes = FIELD_LIMIT_BYTES }: UploadShape,
): BusboyInstance {
  try {
    const parser = new Busboy({
      headers: { 'content-type': request.headers.get('Content-Type') ?? '' },
      limits: {
        fieldSize: fieldLimitBytes,
        fields: MAX_FIELDS,
        parts: 2 * MAX_FIELDS,
        headerPairs: 20,
        headerSize: 8 * 1024,
      },
    });
    // The parser may emit an error after its stream was abandoned.
    parser.on('error', () => undefined);
    return parser;
  } catch (error) {
    throw malformedUpload(error);
  }
}

/** A form that the guard refuses is read to its end, too. */
async function beginGuard(request: Request, { guard }: UploadShape, stop: AbortController): Promise<void> {
  const announced = request.headers.get('Content-Length');
  try {
    await guard?.begin({
      announcedBytes: announced === null ? null : Number(announced),
      cancel: (refusal) => stop.abort(refusal),
    });
  } catch (refusal) {
    stop.abort(refusal);
  }
}

/** Reads a form into `fields` and files. `paths` lists the files on disk. Both are filled even when it fails. */
async function arrive(
  request: Request,
  shape: UploadShape,
  { storage, fields, paths }: { storage: FileStorage; fields: URLSearchParams; paths: string[] },
): Promise<Upload> {
  if (!isMultipart(request)) {
    throw new HttpRefusal({
      status: 415,
      code: 'unsupported_media_type',
      message: 'Send the files as a form, with the header Content-Type: multipart/form-data.',
    });
  }
  if (request.body === null) throw malformedUpload();
  refuseCompressed(request.headers);

  const arriving: Promise<ArrivedFile | null>[] = [];
  const counts = new Map<string, number>();
  const stop = new AbortController();
  const parser = createParser(request, shape);

  async function take(
    field: string,
    source: BusboyFileStream,
    claimed: string | undefined = '',
  ): Promise<ArrivedFile | null> {
    const name = originalName(claimed);
    const rule = Object.hasOwn(shape.files, field) ? shape.files[field] : undefined;
    const count = (counts.get(field) ?? 0) + 1;
    if (rule === undefined || count > (rule.max ?? 1)) {
      source.resume();
      return rule === undefined ? null : { field, name, refused: rule.refusal('count') };
    }
    counts.set(field, count);
    await shape.guard?.admitFile(fields, name);
    const { accepted, digests } = rule;
    const received = await storage.receive(source, { accepted, digests, signal: stop.signal });
    if (received.kind === 'received') {
      const { kind: _, ...file } = received;
      paths.push(file.path);
      return { field, name, file: { ...file, originalName: name } };
    }
    // Browsers' value for a field that was left empty (html.spec.whatwg.org, "constructing the entry list").
    if (received.kind === 'empty' && claimed === '') {
      counts.set(field, count - 1);
      return null;
    }
    return { field, name, refused: rule.refusal(received.kind) };
  }

  parser.on('file', (field, source, claimed) => {
    source.on('error', () => undefined);
    const taken = take(field, source, claimed);
    // A file that fails leaves its source unread, which would block the rest of the form.
    taken.catch((error: unknown) => stop.abort(error));
    arriving.push(taken);
  });
  parser.on('field', (name, value, _nameTruncated, truncated) => {
    if (truncated) stop.abort(uploadTooLarge());
    else fields.append(name, value);
  });
  parser.on('fieldsLimit', () => stop.abort(uploadTooLarge()));
  parser.on('partsLimit', () => stop.abort(uploadTooLarge()));

  const noPart = new Error('the form has no part');
  const limit = limitOf(request, shape);
  const parsed = finished(parser, { readable: false, signal: stop.signal });
  // A refusal ends the parsing; the body is still read to its end.
  parsed.catch((error: unknown) => stop.abort(error));
  const parse = async (chunk: Uint8Array): Promise<void> => {
    if (!parser.write(chunk)) await once(parser, 'drain', { signal: stop.signal }).catch(() => undefined);
  };
  let partTimer: NodeJS.Timeout | undefined;
  try {
    await beginGuard(request, shape, stop);
    await readToEnd(request.body, { limit, stop, parse });
    if (limit.announcedOver) stop.abort(limit.refusal);
    if (!stop.signal.aborted) parser.end();
    partTimer = setTimeout(() => {
      if (arriving.length === 0 && fields.size === 0) stop.abort(noPart);
      else partTimer = setTimeout(() => stop.abort(malformedUpload()), IDLE_LIMIT_MS);
    }, NO_PART_MS);
    await parsed;
    const files = (await Promise.all(arriving)).filter((file) => file !== null);
    const recordId = await shape.guard?.complete(fields);
    for (const { file } of files) if (file !== undefined && recordId !== undefined) file.recordId = recordId;
    return { fields, files };
  } catch (error) {
    const cause: unknown = stop.signal.aborted ? stop.signal.reason : error;
    if (cause === noPart) return { fields, files: [] };
    stop.abort(cause);
    parser.destroy();
    await Promise.allSettled(arriving);
    throw failureOf(cause) === null ? malformedUpload(cause) : cause;
  } finally {
    clearTimeout(partTimer);
  }
}

/**
 * Reads a form with files, streams the files to disk and passes the form to `work`. Files that `work` does not store are
 * deleted when it ends. Throws refusals and deletes all files: 415 another encoding or a compressed body, 400 an
 * incomplete form, 413 too large, `Unavailable` when the disk is full. If `refuse` is given, it handles these refusals and
 * gets the fields that arrived before.
 */
export async function readUpload<T>(
  request: Request,
  shape: UploadShape,
  work: (upload: Upload) => Promise<T>,
  refuse?: (refusal: unknown, fields: URLSearchParams) => Promise<T> | T,
): Promise<T> {
  const storage = shape.guard?.storage ?? serverContext().storage;
  const fields = new URLSearchParams();
  const paths: string[] = [];
  try {
    let upload: Upload;
    try {
      upload = await arrive(request, shape, { storage, fields, paths });
    } catch (refusal) {
      if (refuse === undefined) throw refusal;
      return await refuse(refusal, fields);
    }
    return await work(upload);
  } finally {
    // A file that stays must not keep the record of its upload, nor turn a success into a failure.
    for (const path of paths)
      await storage
        .discard(path)
        .catch((error: unknown) =>
          serverContext().log.warn(
            { err: error },
            'a received file could not be removed; the sweep removes it',
          ),
        );
    await shape.guard?.end();
  }
}

import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable, PassThrough, pipeline } from 'node:stream';
import type { GetObjectCommandInput } from '@aws-sdk/client-s3';
import { SECOND } from '../../clock';
import type { S3Config } from '../../config.server';
import { onDisk } from '../disk.server';
import { createStaging } from '../staging.server';
import type { FileStorage } from '../storage';
import { requireFileName, requireUploadId, UPLOAD_ID } from '../upload-path';
import { loadS3, type S3 } from './s3-client.server';
import { describeS3Fault, isMissingKey, isNotImplemented, onS3, S3Fault } from './s3-faults';

/** Runs a call to S3 for at most `ms`, attempts and body included: the SDK's own limits end with the headers. */
async function withinLimit<T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new S3Fault(`no response within ${ms / 1_000} s`, null));
      abort.abort();
    }, ms);
  });
  try {
    return await Promise.race([call(abort.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Forwards a body. Fails when its reader waits for `ms` without receiving a byte. */
function limitStalls(body: Readable, ms: number): Readable {
  const passed = new PassThrough();
  const timer = setTimeout(() => {
    if (passed.writableNeedDrain) timer.refresh();
    else body.destroy(new S3Fault(`the file stopped for ${ms / 1_000} s`, null));
  }, ms);
  body.on('data', () => timer.refresh());
  passed.on('drain', () => timer.refresh());
  pipeline(body, passed, () => clearTimeout(timer));
  return passed;
}

/** The smallest part that S3 takes (S3 User Guide, "Multipart upload limits"). At most 10,000 parts: 48 GB. */
const PART_BYTES = 5 * 1024 ** 2;
/** Parts in memory and in transfer at the same time. */
const CONCURRENT_PARTS = 3;
const FAULT_LIMIT_MS = 2 * SECOND;
/**
 * `callMs`: for a call until its response begins, all attempts included, and for the whole response if it is small.
 * `stallMs`: for a transfer without progress; the SDK starts counting three seconds late.
 */
const LIMITS = { callMs: 15 * SECOND, stallMs: 12 * SECOND };

/** The size of the whole file in a `Content-Range` such as `bytes 0-9/100`. */
function sizeInRange(contentRange: string | undefined): number {
  const size = /\/(\d+)$/.exec(contentRange ?? '')?.[1];
  if (size === undefined) throw new Error('S3 answered a range with the whole file');
  return Number(size);
}

/** Stores uploads in an S3 bucket as `{prefix}{id}/{file}`. Received files stay staged on the local disk until `put`. */
export function createS3Storage(
  config: S3Config,
  {
    prefix,
    stagingFolder,
    limits = LIMITS,
  }: { prefix: `${string}/`; stagingFolder: string; limits?: typeof LIMITS },
): FileStorage {
  const { bucket: Bucket } = config;
  const staging = createStaging(stagingFolder);
  let loaded: Promise<S3> | undefined;
  const load = (): Promise<S3> => (loaded ??= loadS3(config, limits.stallMs));

  const folderOf = (uploadId: string): string => `${prefix}${requireUploadId(uploadId)}/`;
  const keyOf = (uploadId: string, name: string): string => folderOf(uploadId) + requireFileName(name);

  /** Runs requests to S3 and turns their errors into `Unavailable`. */
  const request = <T>(work: (s3: S3) => Promise<T>): Promise<T> => onS3(async () => work(await load()));

  /** As `request`, for one call with a small answer. */
  const call = <T>(work: (s3: S3, abortSignal: AbortSignal) => Promise<T>): Promise<T> =>
    request((s3) => withinLimit(limits.callMs, (signal) => work(s3, signal)));

  /** As `call`; null if there is no such file. */
  function callStored<T>(work: (s3: S3, abortSignal: AbortSignal) => Promise<T>): Promise<T | null> {
    return call(async (s3, abortSignal) => {
      try {
        return await work(s3, abortSignal);
      } catch (error) {
        if (isMissingKey(error)) return null;
        throw error;
      }
    });
  }

  async function listAll(Prefix: string, Delimiter?: string): Promise<{ keys: string[]; folders: string[] }> {
    const keys: string[] = [];
    const folders: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const input = { Bucket, Prefix, Delimiter, ContinuationToken };
      const page = await call(({ sdk, client }, abortSignal) =>
        client.send(new sdk.ListObjectsV2Command(input), { abortSignal }),
      );
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key);
      for (const each of page.CommonPrefixes ?? []) if (each.Prefix !== undefined) folders.push(each.Prefix);
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return { keys, folders };
  }

  /** Sends a received file in parts. S3 shows it when it has all of them; if a part fails, the others are removed. */
  function sendStaged(Key: string, path: string): Promise<void> {
    return request(async ({ Upload, uploadClient }) => {
      const params = { Bucket, Key, Body: createReadStream(path) };
      await new Upload({
        client: uploadClient,
        params,
        partSize: PART_BYTES,
        queueSize: CONCURRENT_PARTS,
      }).done();
    });
  }

  /** Removes the parts of uploads that a killed process left. */
  async function removePartsBefore(before: number): Promise<number> {
    const uploads = await call(async ({ sdk, client }, abortSignal) => {
      try {
        const command = new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix });
        return (await client.send(command, { abortSignal })).Uploads ?? [];
      } catch (error) {
        // A server without this call removes them by its own rules, or keeps none.
        if (isNotImplemented(error)) return [];
        throw error;
      }
    });
    let removed = 0;
    for (const { Key, UploadId, Initiated } of uploads) {
      if (Initiated === undefined || Initiated.getTime() >= before) continue;
      await call(({ sdk, client }, abortSignal) =>
        client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal }),
      );
      removed += 1;
    }
    return removed;
  }

  return {
    ...staging,
    location: `s3://${Bucket}/${prefix}`,

    async put(uploadId, name, content) {
      const Key = keyOf(uploadId, name);
      if (content instanceof Uint8Array) {
        await request(({ sdk, uploadClient }) =>
          uploadClient.send(new sdk.PutObjectCommand({ Bucket, Key, Body: content })),
        );
        return;
      }
      await sendStaged(Key, content.path);
      if (content.keep !== true) await onDisk(() => rm(content.path, { force: true }));
    },

    async open(uploadId, name, range) {
      const input: GetObjectCommandInput = {
        Bucket,
        Key: keyOf(uploadId, name),
        ...(range !== undefined && { Range: `bytes=${range.start}-${range.end}` }),
      };
      return callStored(async ({ sdk, client }, abortSignal) => {
        const {
          Body: stream,
          ContentRange,
          ContentLength,
        } = await client.send(new sdk.GetObjectCommand(input), { abortSignal });
        if (!(stream instanceof Readable)) throw new Error('the response of S3 has no stream');
        try {
          const size = range === undefined ? (ContentLength ?? 0) : sizeInRange(ContentRange);
          return { stream: limitStalls(stream, limits.stallMs), size };
        } catch (error) {
          stream.destroy();
          throw error;
        }
      });
    },

    openLocal: () => Promise.resolve(null),

    async size(uploadId, name) {
      const Key = keyOf(uploadId, name);
      const size = await callStored(async ({ sdk, client }, abortSignal) => {
        const command = new sdk.HeadObjectCommand({ Bucket, Key });
        const { ContentLength } = await client.send(command, { abortSignal });
        return ContentLength ?? 0;
      });
      // A response to HEAD does not say whether the file or the bucket is missing.
      if (size === null)
        await call(({ sdk, client }, abortSignal) =>
          client.send(new sdk.ListObjectsV2Command({ Bucket, MaxKeys: 1 }), { abortSignal }),
        );
      return size;
    },

    async link(uploadId, name, { downloadName, mediaType, seconds }) {
      const Key = keyOf(uploadId, name);
      return request(({ sdk, client, getSignedUrl }) => {
        const command = new sdk.GetObjectCommand({
          Bucket,
          Key,
          ResponseContentType: mediaType,
          ResponseContentDisposition: `attachment; filename="${downloadName}"`,
          ResponseCacheControl: 'private, no-cache, no-transform',
        });
        return getSignedUrl(client, command, { expiresIn: seconds });
      });
    },

    async remove(uploadId) {
      const { keys } = await listAll(folderOf(uploadId));
      for (const Key of keys)
        await call(({ sdk, client }, abortSignal) =>
          client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal }),
        );
    },

    async list() {
      const { folders } = await listAll(prefix, '/');
      return folders
        .map((folder) => folder.slice(prefix.length, -1))
        .filter((uploadId) => UPLOAD_ID.test(uploadId));
    },

    async discardBefore(before) {
      const discarded = await staging.discardStagedBefore(before);
      return discarded + (await removePartsBefore(before));
    },

    async findFault() {
      const diskFault = await staging.findFault();
      if (diskFault !== null) return diskFault;
      try {
        const { sdk, client } = await load();
        // Not HEAD, whose response has no error code.
        const command = new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 });
        await withinLimit(FAULT_LIMIT_MS, (abortSignal) => client.send(command, { abortSignal }));
        return null;
      } catch (error) {
        return describeS3Fault(error, config);
      }
    },
  };
}

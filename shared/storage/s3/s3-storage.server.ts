import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { GetObjectCommandInput } from '@aws-sdk/client-s3';
import { SECOND } from '../../clock';
import type { S3Config } from '../../config.server';
import { onDisk } from '../disk.server';
import { createStaging } from '../staging.server';
import type { FileStorage } from '../storage';
import { requireFileName, requireUploadId, UPLOAD_ID } from '../stored-name';
import { loadS3, type S3 } from './s3-client.server';
import { describeS3Fault, isMissingKey, isNotImplemented, onS3 } from './s3-faults';

/** The smallest part that S3 takes (S3 User Guide, "Multipart upload limits"). At most 10,000 parts: 48 GB. */
const PART_BYTES = 5 * 1024 ** 2;
/** Parts in memory and on their way at the same time. */
const CONCURRENT_PARTS = 3;
const FAULT_LIMIT_MS = 2 * SECOND;

/** The size of the whole file in a `Content-Range` such as `bytes 0-9/100`. */
function sizeInRange(contentRange: string | undefined): number {
  const size = /\/(\d+)$/.exec(contentRange ?? '')?.[1];
  if (size === undefined) throw new Error('S3 answered a range with the whole file');
  return Number(size);
}

/**
 * Stores uploads in an S3 bucket as `{prefix}{id}/{file}`. Received files stay in the staging folder on the local disk
 * until `put` sends them.
 */
export function createS3Storage(
  config: S3Config,
  { prefix, stagingFolder }: { prefix: `${string}/`; stagingFolder: string },
): FileStorage {
  const { bucket: Bucket } = config;
  const staging = createStaging(stagingFolder);
  let loaded: Promise<S3> | undefined;
  const load = (): Promise<S3> => (loaded ??= loadS3(config));

  const folderOf = (uploadId: string): string => `${prefix}${requireUploadId(uploadId)}/`;
  const keyOf = (uploadId: string, name: string): string => folderOf(uploadId) + requireFileName(name);

  /** Runs requests to S3 and turns their errors into `Unavailable`. */
  const request = <T>(work: (s3: S3) => Promise<T>): Promise<T> => onS3(async () => work(await load()));

  /** As `request`; null if there is no such file. */
  function requestStored<T>(work: (s3: S3) => Promise<T>): Promise<T | null> {
    return request(async (s3) => {
      try {
        return await work(s3);
      } catch (error) {
        if (isMissingKey(error)) return null;
        throw error;
      }
    });
  }

  async function listAll(Prefix: string, Delimiter?: string): Promise<{ keys: string[]; folders: string[] }> {
    return request(async ({ sdk, client }) => {
      const keys: string[] = [];
      const folders: string[] = [];
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix, Delimiter })) {
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key);
        for (const each of page.CommonPrefixes ?? [])
          if (each.Prefix !== undefined) folders.push(each.Prefix);
      }
      return { keys, folders };
    });
  }

  /** Sends a received file in parts. S3 shows it when it has all of them; if a part fails, the others are removed. */
  function sendStaged(Key: string, path: string): Promise<void> {
    return request(async ({ Upload, client }) => {
      const params = { Bucket, Key, Body: createReadStream(path) };
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: CONCURRENT_PARTS }).done();
    });
  }

  /** Removes the parts of uploads that a killed process left. */
  async function removePartsBefore(before: number): Promise<number> {
    return request(async ({ sdk, client }) => {
      let removed = 0;
      try {
        const { Uploads = [] } = await client.send(
          new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix }),
        );
        for (const { Key, UploadId, Initiated } of Uploads) {
          if (Initiated === undefined || Initiated.getTime() >= before) continue;
          await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
          removed += 1;
        }
      } catch (error) {
        // A server without this call removes them by a rule of its own, or keeps none.
        if (!isNotImplemented(error)) throw error;
      }
      return removed;
    });
  }

  return {
    ...staging,
    location: `s3://${Bucket}/${prefix}`,

    async put(uploadId, name, content) {
      const Key = keyOf(uploadId, name);
      if (content instanceof Uint8Array) {
        await request(({ sdk, client }) =>
          client.send(new sdk.PutObjectCommand({ Bucket, Key, Body: content })),
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
      return requestStored(async ({ sdk, client }) => {
        const {
          Body: stream,
          ContentRange,
          ContentLength,
        } = await client.send(new sdk.GetObjectCommand(input));
        if (!(stream instanceof Readable)) throw new Error('the response of S3 has no stream');
        try {
          return { stream, size: range === undefined ? (ContentLength ?? 0) : sizeInRange(ContentRange) };
        } catch (error) {
          stream.destroy();
          throw error;
        }
      });
    },

    openLocal: () => Promise.resolve(null),

    async size(uploadId, name) {
      const Key = keyOf(uploadId, name);
      const size = await requestStored(async ({ sdk, client }) => {
        const { ContentLength } = await client.send(new sdk.HeadObjectCommand({ Bucket, Key }));
        return ContentLength ?? 0;
      });
      // A response to HEAD does not say whether the file or the bucket is missing.
      if (size === null)
        await request(({ sdk, client }) => client.send(new sdk.ListObjectsV2Command({ Bucket, MaxKeys: 1 })));
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
        await request(({ sdk, client }) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key })));
    },

    async list() {
      const { folders } = await listAll(prefix, '/');
      return folders
        .map((folder) => folder.slice(prefix.length, -1))
        .filter((uploadId) => UPLOAD_ID.test(uploadId));
    },

    async discardBefore(before) {
      const discarded = await staging.discardBefore(before);
      return discarded + (await removePartsBefore(before));
    },

    async findFault() {
      const diskFault = await staging.findFault();
      if (diskFault !== null) return diskFault;
      try {
        const { sdk, client } = await load();
        // Not HEAD, whose response does not say what is wrong.
        await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }), {
          abortSignal: AbortSignal.timeout(FAULT_LIMIT_MS),
        });
        return null;
      } catch (error) {
        return describeS3Fault(error, config);
      }
    },
  };
}

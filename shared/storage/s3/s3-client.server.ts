import type * as ClientS3 from '@aws-sdk/client-s3';
import type * as LibStorage from '@aws-sdk/lib-storage';
import type * as Presigner from '@aws-sdk/s3-request-presigner';
import { MINUTE, SECOND } from '../../clock';
import type { S3Config } from '../../config.server';
import { createHttpAgents } from '../../network/connect/http-agents.server';
import { S3Fault } from './s3-faults';

/** A client of one bucket, with the parts of the SDK that its callers need. */
export interface S3 {
  sdk: typeof ClientS3;
  Upload: typeof LibStorage.Upload;
  getSignedUrl: typeof Presigner.getSignedUrl;
  client: ClientS3.S3Client;
  /** For requests whose body is a file: limits how long they stall, not how long they take. */
  uploadClient: ClientS3.S3Client;
}

const CONNECT_LIMIT_MS = 5 * SECOND;
/** While a response is read: longer than the idle limit of our own clients, who set the reading pace. */
const IDLE_LIMIT_MS = 2 * MINUTE;
const ATTEMPTS = 3;

/** Whether a request timed out. The SDK uses the same name for lost connections, but those have a system error code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError' && !('code' in error);
}

/**
 * Loads the SDK, which takes some 35 MB of memory, and makes the clients. Call it once, when S3 is used for the first time.
 * An upload fails when no byte was sent or received for `uploadStallMs`.
 */
export async function loadS3(
  { url, region, accessKeyId, secretAccessKey }: S3Config,
  uploadStallMs: number,
): Promise<S3> {
  const [sdk, { Upload }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  // Each file that is being served holds a socket. The SDK's limit of 50 would let slow readers block all others.
  const settings = { keepAlive: true, maxSockets: Infinity };
  const create = (socketTimeout: number): ClientS3.S3Client => {
    const client = new sdk.S3Client({
      endpoint: url,
      region,
      credentials: { accessKeyId, secretAccessKey },
      // Addresses with the bucket in the path work with every S3-compatible server.
      forcePathStyle: true,
      maxAttempts: ATTEMPTS,
      // The signature covers the SHA-256 of each part; not every S3-compatible server knows the SDK's own checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // With it the SDK opens a connection per part, and waits six seconds for servers that ignore the header.
      expectContinueHeader: false,
      requestHandler: {
        connectionTimeout: CONNECT_LIMIT_MS,
        socketTimeout,
        ...createHttpAgents(settings),
      },
    });
    client.middlewareStack.add(
      (next) => async (args) => {
        try {
          return await next(args);
        } catch (error) {
          throw isTimeout(error) ? new S3Fault('it is silent', null) : error;
        }
      },
      { step: 'finalizeRequest', priority: 'low', name: 'neverRepeatTimeouts' },
    );
    return client;
  };
  return {
    sdk,
    Upload,
    getSignedUrl,
    client: create(IDLE_LIMIT_MS),
    uploadClient: create(uploadStallMs),
  };
}

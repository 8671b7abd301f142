import type * as ClientS3 from '@aws-sdk/client-s3';
import type * as LibStorage from '@aws-sdk/lib-storage';
import type * as Presigner from '@aws-sdk/s3-request-presigner';
import { MINUTE, SECOND } from '../../clock';
import type { S3Config } from '../../config.server';

/** A client of one bucket, and the parts of the SDK that it is used with. */
export interface S3 {
  sdk: typeof ClientS3;
  Upload: typeof LibStorage.Upload;
  getSignedUrl: typeof Presigner.getSignedUrl;
  client: ClientS3.S3Client;
}

const CONNECT_LIMIT_MS = 5 * SECOND;
/** Until the response begins. A part of a file has 5 MB, so it needs about 700 kbit/s. */
const RESPONSE_LIMIT_MS = MINUTE;
/** While a response is read: longer than the idle limit of our own clients, whose pace decides how fast we read. */
const IDLE_LIMIT_MS = 2 * MINUTE;
const ATTEMPTS = 3;

/**
 * Loads the SDK, which takes some 35 MB of memory, and makes a client. Call it once, when S3 is used for the first time.
 */
export async function loadS3({ url, region, accessKeyId, secretAccessKey }: S3Config): Promise<S3> {
  const [sdk, { Upload }, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/lib-storage'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  // Each file that is being served holds a socket. The SDK's limit of 50 would let slow readers block all others.
  const agent = { keepAlive: true, maxSockets: Infinity };
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
      requestTimeout: RESPONSE_LIMIT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_LIMIT_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  return { sdk, Upload, getSignedUrl, client };
}

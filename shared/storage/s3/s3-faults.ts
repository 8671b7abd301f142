import { DomainError } from '../../errors';

/** A failed request to S3, with only what an operator needs: the SDK's errors contain the signed request. */
export class S3Fault extends Error {
  constructor(
    /** S3's code, such as `NoSuchBucket`, or the code of the network error. */
    readonly code: string,
    readonly status: number | null,
  ) {
    super(status === null ? `S3 does not answer: ${code}` : `S3 answers ${status}: ${code}`);
    this.name = 'S3Fault';
  }
}

interface SdkError {
  name: string;
  code?: unknown;
  $metadata?: { httpStatusCode?: number };
}

function isSdkError(error: unknown): error is SdkError & Error {
  return error instanceof Error;
}

function toFault(error: unknown): S3Fault {
  if (error instanceof S3Fault) return error;
  if (!isSdkError(error)) return new S3Fault(String(error), null);
  const status = error.$metadata?.httpStatusCode ?? null;
  const code = status === null && typeof error.code === 'string' ? error.code : error.name;
  return new S3Fault(code, status);
}

/** Whether an error means that there is no such file. A response to HEAD has a status but no code. */
export function isMissingKey(error: unknown): boolean {
  return isSdkError(error) && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

/** Whether S3 does not answer, is out of order or wants fewer requests (`SlowDown`): the next call would fail alike. */
export function isS3Unavailable(error: unknown): boolean {
  if (!(error instanceof DomainError && error.cause instanceof S3Fault)) return false;
  const { status } = error.cause;
  return status === null || status === 429 || status >= 500;
}

/** Whether an S3-compatible server lacks a call. */
export function isNotImplemented(error: unknown): boolean {
  return isSdkError(error) && [405, 501].includes(error.$metadata?.httpStatusCode ?? 0);
}

/** Runs requests to S3 and turns their errors into `Unavailable`. */
export async function onS3<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('Unavailable', {
      code: 'storage_unavailable',
      message: 'Files cannot be stored or read right now. Please try again later.',
      cause: toFault(error),
    });
  }
}

const REFUSED_KEY = ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch'];

/** What is wrong with S3, in a sentence for an operator. */
export function describeS3Fault(error: unknown, { url, bucket }: { url: string; bucket: string }): string {
  const { code, status } = toFault(error);
  if (code === 'NoSuchBucket') return `The bucket ${bucket} (S3_BUCKET) does not exist.`;
  if (REFUSED_KEY.includes(code))
    return `S3 refuses the access key (S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY): ${code}.`;
  if (status === null) return `S3 at ${new URL(url).host} does not answer: ${code}.`;
  return `S3 at ${new URL(url).host} answers ${status}: ${code}.`;
}

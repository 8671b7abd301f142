import { DomainError, type DomainErrorKind } from '#shared/errors';

/** HTTP statuses of domain errors. */
const STATUS_OF_KIND: Record<DomainErrorKind, number> = {
  Invalid: 422,
  NotAuthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  TooLarge: 413,
  InsufficientTokens: 402,
  RateLimited: 429,
  BadGateway: 502,
  Unavailable: 503,
};

function statusOf(error: DomainError): number {
  return STATUS_OF_KIND[error.kind];
}

/** The answer of a failed call. */
export interface Failure {
  status: number;
  code: string;
  message: string;
  /** Sentences per invalid field. */
  errors?: Record<string, string[]>;
  headers?: HeadersInit;
}

/** A refusal that concerns HTTP, not the domain. */
export class HttpRefusal extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'HttpRefusal';
    this.failure = failure;
  }
}

/** The failure of an expected refusal; null for any other error, which is a bug. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof HttpRefusal) return error.failure;
  if (!(error instanceof DomainError)) return null;
  return {
    status: statusOf(error),
    code: error.code,
    message: error.message,
    errors: error.fieldErrors,
    ...(error.retryAfterSeconds !== undefined && {
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(error.retryAfterSeconds))) },
    }),
  };
}

/** The `Retry-After` of answers while the database is locked. */
export const BUSY_RETRY_SECONDS = 5;

/** The answer when another process locked the database for longer than we wait. Nothing was changed. */
export function busyFailure(): Failure {
  return {
    status: 503,
    code: 'database_busy',
    message: 'The site is busy right now, and nothing was changed. Please try again in a moment.',
    headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) },
  };
}

/** The answer to a bug. It says nothing about the cause. */
export function bugFailure(requestId: string): Failure {
  return {
    status: 500,
    code: 'internal_error',
    message: `Something went wrong on our side. Please try again; if it stays, tell us this id: ${requestId}`,
  };
}

import { isBusy, isReadOnlyServer, isUnknownCommit } from '#shared/database/database-errors';
import { DomainError, type DomainErrorKind } from '#shared/errors';
import { serverContext } from './context.server';
import { currentRequest } from './request-context.server';

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

/** The content of a failed request's response. */
export interface Failure {
  status: number;
  code: string;
  message: string;
  /** The answer of an outside service, as a sentence. */
  reason?: string;
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
    status: STATUS_OF_KIND[error.kind],
    code: error.code,
    message: error.message,
    ...(error.reason !== undefined && { reason: error.reason }),
    errors: error.fieldErrors,
    ...(error.retryAfterSeconds !== undefined && {
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(error.retryAfterSeconds))) },
    }),
  };
}

/** The `Retry-After` of responses while the database is locked or away. */
export const BUSY_RETRY_SECONDS = 5;

const RETRY_HEADERS = { 'Retry-After': String(BUSY_RETRY_SECONDS) };

/** Another process locked the database for longer than we wait, or it cannot be reached, or a failover is under way. */
const BUSY: Failure = {
  status: 503,
  code: 'database_busy',
  message: 'The site is busy right now, and nothing was changed. Please try again in a moment.',
  headers: RETRY_HEADERS,
};

/** The connection to the database was lost during a commit, and whether the commit holds cannot be found out. */
const OUTCOME_UNKNOWN: Failure = {
  status: 503,
  code: 'outcome_unknown',
  message:
    'The site was interrupted while saving, and we cannot tell whether your change was saved. Please check before you try again.',
  headers: RETRY_HEADERS,
};

/** The failure of a request that met a fault of the database; null for any other error. */
export function databaseFailure(error: unknown): Failure | null {
  if (isBusy(error) || isReadOnlyServer(error)) return BUSY;
  return isUnknownCommit(error) ? OUTCOME_UNKNOWN : null;
}

/** The failure of a bug. It says nothing about the cause. */
export function bugFailure(requestId: string): Failure {
  return {
    status: 500,
    code: 'internal_error',
    message: `Something went wrong on our side. Please try again. If the problem persists, send us this id: ${requestId}`,
  };
}

/**
 * Logs why a page, or a form of one, failed. A database that is locked or away is no bug: it is logged as a warning, and
 * `responseStatus` sets the status. The result of an action cannot carry it, because the page shows that same result.
 */
export function logPageError(
  error: unknown,
  { message, ...fields }: { message: string; intent?: string },
): void {
  const { log } = serverContext();
  if (databaseFailure(error) !== null) {
    const request = currentRequest();
    if (request !== undefined) request.databaseFailed = true;
    log.warn({ ...fields, err: error }, message);
  } else {
    log.error({ ...fields, err: error }, message);
  }
}

/** Logs an expected refusal by its code. Other refusals (`HttpRefusal`) are in the line of their request, by status. */
export function logRefusal(
  error: unknown,
  { message, ...fields }: { message: string; intent?: string },
): void {
  if (error instanceof DomainError)
    serverContext().log.warn({ ...fields, refusal: error.code, err: error.cause }, message);
}

/** The status of a page's response: 503, with a Retry-After in `headers`, when the request met a fault of the database. */
export function responseStatus(status: number, headers: Headers): number {
  if (currentRequest()?.databaseFailed !== true) return status;
  headers.set('Retry-After', String(BUSY_RETRY_SECONDS));
  return 503;
}

/** Loads an optional part of a page. If it fails, logs the error and returns null. A thrown Response is passed on. */
export async function loadOptional<Loaded>(load: () => Promise<Loaded>): Promise<Loaded | null> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof Response) throw error;
    serverContext().outages.failed(error, 'a part of a page failed to load');
    return null;
  }
}

/** A plain-text response, for routes that are neither a page nor an API call. It is not cached. */
export function textResponse(message: string, status: number, headers?: HeadersInit): Response {
  const all = new Headers(headers);
  all.set('Content-Type', 'text/plain; charset=utf-8');
  all.set('Cache-Control', 'no-store');
  return new Response(`${message}\n`, { status, headers: all });
}

/** Runs a route that responds with text. Expected refusals and faults of the database become a response with their status. */
export async function withTextFailures<Result>(run: () => Promise<Result>): Promise<Result | Response> {
  try {
    return await run();
  } catch (error) {
    const failure = databaseFailure(error) ?? failureOf(error);
    if (failure === null) throw error;
    return textResponse(failure.message, failure.status, failure.headers);
  }
}

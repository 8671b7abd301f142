/** The kinds of expected refusals. The HTTP edge maps each kind to a status in one table. */
export type DomainErrorKind =
  | 'Invalid'
  | 'NotAuthenticated'
  | 'Forbidden'
  | 'NotFound'
  | 'Conflict'
  | 'TooLarge'
  | 'InsufficientTokens'
  | 'RateLimited'
  | 'BadGateway'
  | 'Unavailable';

export interface DomainErrorDetails {
  /** Stable snake_case name for callers. */
  code: string;
  /** A sentence for a person. */
  message: string;
  /** The reason for operators, which members do not see. */
  operatorMessage?: string;
  /** The answer of an outside service, if the caller may see it. */
  reason?: string;
  /** Messages per invalid field. */
  fieldErrors?: Record<string, string[]>;
  /** For `RateLimited` and `Unavailable`: when to retry. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** An expected refusal. Anything else that is thrown is a bug. */
export class DomainError extends Error {
  readonly kind: DomainErrorKind;
  readonly code: string;
  readonly operatorMessage: string | undefined;
  readonly reason: string | undefined;
  readonly fieldErrors: Record<string, string[]> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: DomainErrorKind, details: DomainErrorDetails) {
    super(details.message, { cause: details.cause });
    this.name = 'DomainError';
    this.kind = kind;
    this.code = details.code;
    this.operatorMessage = details.operatorMessage;
    this.reason = details.reason;
    this.fieldErrors = details.fieldErrors;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Whether it says how long to wait, which no face of an operation replaces with another sentence. */
export function isRateLimit(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'RateLimited';
}

/** The fault of an unusable response. `explain-fetch-failure.ts` has a sentence for each. */
export type PageErrorCode =
  | 'EMPTY_RESPONSE'
  | 'HEADERS_CUT'
  | 'HEADERS_TOO_LARGE'
  | 'NO_HTTP'
  | 'STATUS_INVALID'
  | 'TOO_MANY_INTERIM_RESPONSES'
  | 'TWO_LENGTHS';

/** A response that cannot be used, or an address that must not be requested. */
export class PageError extends Error {
  constructor(readonly code: PageErrorCode) {
    super(`the response cannot be used: ${code}`);
    this.name = 'PageError';
  }
}

export interface ReplyOptions {
  /** When it is not the status that the call declares. */
  status?: number;
  /** Cookies, above all. */
  headers?: Headers;
}

/** A success with more to say than its payload: a status of its own, or headers. */
export class Reply {
  readonly payload: unknown;
  readonly status: number | undefined;
  readonly headers: Headers | undefined;

  constructor(payload: unknown, { status, headers }: ReplyOptions = {}) {
    this.payload = payload;
    this.status = status;
    this.headers = headers;
  }
}

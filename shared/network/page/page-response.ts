import type { PageBody } from './response-body';
import type { ResponseHead } from './response-head';

/** One GET request for a page. */
export interface PageRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Called when the connection is there and the request is about to be sent. */
  onRequest?: (() => void) | undefined;
}

/** The response to one request for a page. Redirects are responses. */
export interface PageResponse extends ResponseHead {
  body: PageBody;
  /** Ends the connection. Necessary when the body is not read to its end. */
  close(): void;
}

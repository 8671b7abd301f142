import type { PageAnswer } from '#shared/monitor/checks/verdict';

export interface ScrappeyAccess {
  apiKey: string;
  /** The whole endpoint, without the key. */
  apiUrl: string;
}

export interface FetchRequest {
  targetUrl: string;
  /** Null: the page is fetched directly. */
  scrappey: ScrappeyAccess | null;
  /** For everything together, retries and body included. 45 seconds when left out. */
  timeoutMs?: number;
  /** Ends the fetch early; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Bytes of the page that are read, after decompression. 5 MiB when left out. */
  maxBodyBytes?: number;
}

export type ScrappeyStatus = 'success' | 'error' | 'disabled' | 'other';

/** What came of one fetch. Outside failures are told here, never thrown. */
export interface FetchOutcome {
  /** Status 0 when no page came. */
  answer: PageAnswer;
  /** By a clock that never runs backwards. */
  responseTimeMs: number;
  scrappeyStatus: ScrappeyStatus;
  scrappeyRequestId: string | null;
  /** Calls made to Scrappey, each of which may be charged. */
  scrappeyCalls: number;
  proxyUsed: string | null;
  /** A sentence for a person, or null when all went well. */
  errorMessage: string | null;
  /** How long to leave the fetching service alone, when it asked for a pause. */
  backOffMs: number | null;
}

/** An answer in which no page came. */
export function noAnswer(requestUrl: string): PageAnswer {
  return {
    requestUrl,
    finalUrl: requestUrl,
    status: 0,
    headers: {},
    body: '',
    decodable: true,
    hops: [],
    doubted: false,
  };
}

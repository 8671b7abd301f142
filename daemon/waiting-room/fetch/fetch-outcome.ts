import type { PageAnswer } from '#shared/monitor/checks/verdict';

export interface ScrappeyAccess {
  apiKey: string;
  /** The endpoint's complete URL, without the key. */
  apiUrl: string;
}

export interface FetchRequest {
  targetUrl: string;
  /**
   * Fetch from public addresses and allowed private hosts alone. False: the operator configured the address
   * (MONITOR_TARGET_URL).
   */
  publicOnly: boolean;
  /** Headers of a conditional request, which may be answered with 304. Default: none. Only without Scrappey. */
  conditions?: Record<string, string>;
  /** Null: fetch the page directly. */
  scrappey: ScrappeyAccess | null;
  /** Called when a request is sent: to the shop, once per redirect, or to Scrappey. */
  onRequest?: () => void;
  /** Limit for the whole fetch, including retries and the body. Default: 45 seconds. */
  timeoutMs?: number;
  /** Aborts the fetch; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Maximum bytes of the page to read, after decompression. Default: 5 MiB. */
  maxBodyBytes?: number;
}

export type ScrappeyStatus = 'success' | 'error' | 'disabled' | 'other';

/** The result of one fetch. Failures of the shop or of Scrappey are part of it and never thrown. */
export interface FetchOutcome {
  /** Status 0 when no page was received. */
  answer: PageAnswer;
  /** Measured with a monotonic clock. */
  responseTimeMs: number;
  scrappeyStatus: ScrappeyStatus;
  scrappeyRequestId: string | null;
  /** Calls to Scrappey; each may be charged. */
  scrappeyCalls: number;
  proxyUsed: string | null;
  /** A sentence for operators, or null when there was no failure. */
  errorMessage: string | null;
  /** How long Scrappey asked us to pause, or null. */
  backOffMs: number | null;
}

/** The answer when no page was received. */
export function noAnswer(requestUrl: string): PageAnswer {
  return {
    requestUrl,
    finalUrl: requestUrl,
    status: 0,
    headers: {},
    body: '',
    decodable: true,
    hops: [],
    unverified: false,
  };
}

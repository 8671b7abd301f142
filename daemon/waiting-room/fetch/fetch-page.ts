import { Agent, type Dispatcher } from 'undici';
import { SECOND } from '#shared/clock';
import { DomainError } from '#shared/errors';
import { createUndiciConnector } from '#shared/network/connect/undici-connector.server';
import { createPageClient, type PageClient } from '#shared/network/page/page-client.server';
import type { PublicWeb } from '#shared/network/public-web.server';
import { fetchDirect } from './fetch-direct';
import { noAnswer, type FetchOutcome, type FetchRequest } from './fetch-outcome';
import { fetchThroughScrappey } from './fetch-scrappey';

export type { FetchOutcome, FetchRequest } from './fetch-outcome';

const TIMEOUT_MS = 45 * SECOND;
/** Bytes of a page that are read, after decompression. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;

export interface PageFetcher {
  fetch(request: FetchRequest): Promise<FetchOutcome>;
  /** Closes the kept-alive connections to Scrappey. */
  close(): Promise<void>;
}

/**
 * Creates a fetcher with separate connections for what the operator configured (MONITOR_TARGET_URL and Scrappey), `web`
 * for the rest.
 */
export function createPageFetcher(web: PublicWeb): PageFetcher {
  const tcp = { timeoutMs: 15 * SECOND };
  const client = createPageClient({ tcpFor: () => tcp, trust: web.trust });
  const scrappeyDispatcher = new Agent({
    connect: createUndiciConnector(tcp),
    // Only the timeout of the whole fetch applies; a slow part must not abort it earlier.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
  });
  return {
    fetch: (request) => fetchPage({ ...request, client, scrappeyDispatcher, web }),
    close: () => scrappeyDispatcher.destroy(),
  };
}

/**
 * Fetches the shop's page once, through Scrappey when access to it is given, else directly. A failure gives status 0 and
 * a message. Rejects only when the caller's signal aborts.
 */
async function fetchPage(
  request: FetchRequest & { client: PageClient; scrappeyDispatcher: Dispatcher; web: PublicWeb },
): Promise<FetchOutcome> {
  const { targetUrl, publicOnly, scrappey, web, signal: stop } = request;
  const { timeoutMs = TIMEOUT_MS, maxBodyBytes = MAX_BODY_BYTES } = request;
  stop?.throwIfAborted();
  const startedAt = performance.now();
  const controller = new AbortController();
  const giveUp = (): void => controller.abort();
  const timer = setTimeout(giveUp, timeoutMs);
  stop?.addEventListener('abort', giveUp, { once: true });
  let scrappeyCalls = 0;
  const onCall = (): void => {
    scrappeyCalls += 1;
    request.onRequest?.();
  };
  let reading = false;
  const elapsed = (): number => performance.now() - startedAt;
  try {
    const options = { targetUrl, signal: controller.signal, maxBodyBytes };
    if (scrappey === null) {
      const { answer, errorMessage } = await fetchDirect({
        ...options,
        conditions: request.conditions ?? {},
        onRequest: request.onRequest,
        client: publicOnly ? web.pages : request.client,
        // The operator vouches for the configured page, not for its redirects.
        elsewhere: web.pages,
        onBody: (state) => {
          reading = state === 'begun';
        },
      });
      stop?.throwIfAborted();
      return { ...WITHOUT_SCRAPPEY, answer, errorMessage, responseTimeMs: elapsed() };
    }
    // Scrappey fetches every address that it gets, also through redirects.
    const refused = publicOnly ? await refusalOf(web, targetUrl) : null;
    if (refused !== null)
      return {
        ...WITHOUT_SCRAPPEY,
        answer: noAnswer(targetUrl),
        errorMessage: refused.message,
        responseTimeMs: elapsed(),
      };
    const fetched = await fetchThroughScrappey({
      ...options,
      dispatcher: request.scrappeyDispatcher,
      scrappey,
      timeoutMs,
      onCall,
    });
    const led = publicOnly ? await refusalOf(web, fetched.answer.finalUrl) : null;
    const isPrivate = led?.code === 'address_not_public';
    return {
      answer: isPrivate ? noAnswer(targetUrl) : fetched.answer,
      responseTimeMs: elapsed(),
      scrappeyStatus: fetched.status,
      scrappeyRequestId: fetched.requestId,
      scrappeyCalls,
      proxyUsed: fetched.proxyUsed,
      errorMessage: isPrivate ? `The shop redirects: ${led.message}` : fetched.errorMessage,
      backOffMs: fetched.backOffMs,
    };
  } catch (error) {
    stop?.throwIfAborted();
    if (!controller.signal.aborted) throw error;
    const what = reading
      ? "The shop's answer did not end"
      : `${scrappey === null ? 'The shop' : 'Scrappey'} did not answer`;
    return {
      ...WITHOUT_SCRAPPEY,
      ...(scrappey === null ? {} : { scrappeyStatus: 'other' as const, scrappeyCalls }),
      answer: noAnswer(targetUrl),
      errorMessage: `${what} within ${timeoutMs / SECOND} seconds.`,
      responseTimeMs: elapsed(),
    };
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', giveUp);
  }
}

/** Why an address must not be fetched, or null. */
async function refusalOf(web: PublicWeb, address: string): Promise<DomainError | null> {
  try {
    await web.requirePublicUrl(address);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

const WITHOUT_SCRAPPEY = {
  scrappeyStatus: 'disabled',
  scrappeyRequestId: null,
  scrappeyCalls: 0,
  proxyUsed: null,
  backOffMs: null,
} as const;

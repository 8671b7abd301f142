import { request, type Dispatcher } from 'undici';
import { MINUTE, SECOND } from '#shared/clock';
import { explainFetchFailure } from '#shared/network/explain-fetch-failure';
import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { readBody } from './read-body';
import { noAnswer, type ScrappeyAccess } from './fetch-outcome';
import { toHeaders } from './response-headers';
import { readScrappeyAnswer, type ScrappeyReading } from './scrappey-answer';
import { parseAddress } from './web-address';

/** Codes of a failed proxy or browser of the service: a retry gets another one. */
const RETRY_AT_ONCE: ReadonlySet<string> = new Set(['0005', '0007', '0019', '0024', '0025', '0026']);
/** Codes of an overloaded service, a temporary ban or too many open sessions. */
const RETRY_LATER: ReadonlySet<string> = new Set(['0001', '0018', '0029']);
const BACK_OFF_MS = MINUTE;
/** JSON escapes make the service's response larger than the page in it, at most by this factor. */
const ENVELOPE_FACTOR = 4;
/** A shorter key is not a secret, and redacting it would remove ordinary words from a page. */
const MIN_SECRET_LENGTH = 6;

export interface ScrappeyFetch extends ScrappeyReading {
  backOffMs: number | null;
}

/**
 * Fetches a page through Scrappey, with one retry if the service's error code allows it. The API key is in the URL of the
 * request, so it is redacted from everything returned. Rejects only when `signal` aborts.
 */
export async function fetchThroughScrappey(options: {
  targetUrl: string;
  scrappey: ScrappeyAccess;
  dispatcher: Dispatcher;
  signal: AbortSignal;
  timeoutMs: number;
  maxBodyBytes: number;
  /** Called before each request, so that an aborted request counts as well. */
  onCall: () => void;
}): Promise<ScrappeyFetch> {
  const { timeoutMs, scrappey } = options;
  const startedAt = performance.now();
  let reading = await callOnce(options, timeoutMs);
  const remainingMs = timeoutMs - (performance.now() - startedAt);
  if (reading.code !== null && RETRY_AT_ONCE.has(reading.code) && remainingMs >= timeoutMs / 3) {
    reading = await callOnce(options, remainingMs);
  }
  const pause = reading.code !== null && RETRY_LATER.has(reading.code);
  return { ...withoutKey(reading, scrappey.apiKey), backOffMs: pause ? BACK_OFF_MS : null };
}

type CallOptions = Omit<Parameters<typeof fetchThroughScrappey>[0], 'timeoutMs'>;

async function callOnce(options: CallOptions, remainingMs: number): Promise<ScrappeyReading> {
  const { targetUrl, scrappey, dispatcher, signal, maxBodyBytes } = options;
  const endpoint = parseAddress(scrappey.apiUrl);
  const failed = {
    answer: noAnswer(targetUrl),
    status: 'other',
    requestId: null,
    proxyUsed: null,
    code: null,
  } as const;
  if (endpoint === null) return { ...failed, errorMessage: 'SCRAPPEY_API_URL is not a valid address.' };
  endpoint.searchParams.set('key', scrappey.apiKey);
  options.onCall();
  try {
    const response = await request(endpoint, {
      dispatcher,
      signal,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'gzip, br',
      },
      body: JSON.stringify({
        cmd: 'request.get',
        url: targetUrl,
        requestType: 'browser',
        proxyCountry: 'UnitedKingdom',
        // The service must time out before we do, or we lose its reason.
        timeout: Math.max(SECOND, Math.round(remainingMs - Math.min(5 * SECOND, remainingMs / 5))),
        listAllRedirects: true,
      }),
    });
    const encoding = [response.headers['content-encoding'] ?? ''].flat().join(',');
    const body = await readBody(response.body, encoding, maxBodyBytes * ENVELOPE_FACTOR);
    response.body.on('error', () => undefined).destroy();
    return readScrappeyAnswer(targetUrl, {
      httpStatus: response.statusCode,
      text: body.bytes.toString('utf8'),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return { ...failed, errorMessage: `Scrappey: ${explainFetchFailure(error, endpoint)}` };
  }
}

function withoutKey(reading: ScrappeyReading, key: string): ScrappeyReading {
  const forms = [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])].filter(
    (form) => form !== '',
  );
  const clean = (text: string): string =>
    forms.reduce((rest, form) => (rest.includes(form) ? rest.replaceAll(form, '[key]') : rest), text);
  const cleanOrNull = (text: string | null): string | null => (text === null ? null : clean(text));
  return {
    ...reading,
    answer: key.length < MIN_SECRET_LENGTH ? reading.answer : cleanAnswer(reading.answer, clean),
    requestId: cleanOrNull(reading.requestId),
    proxyUsed: cleanOrNull(reading.proxyUsed),
    errorMessage: cleanOrNull(reading.errorMessage),
  };
}

function cleanAnswer(answer: PageAnswer, clean: (text: string) => string): PageAnswer {
  const cleanHeaders = (headers: PageAnswer['headers']): PageAnswer['headers'] =>
    toHeaders(
      Object.entries(headers).map(([name, value]) => [
        clean(name),
        Array.isArray(value) ? value.map(clean) : clean(value),
      ]),
    );
  return {
    ...answer,
    finalUrl: clean(answer.finalUrl),
    headers: cleanHeaders(answer.headers),
    body: clean(answer.body),
    hops: answer.hops.map((hop) => ({
      ...hop,
      url: clean(hop.url),
      location: hop.location === null ? null : clean(hop.location),
      headers: cleanHeaders(hop.headers),
    })),
  };
}

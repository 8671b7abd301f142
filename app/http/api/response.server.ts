import { z } from 'zod';
import { BUSY_RETRY_SECONDS, loadOptional, type Failure } from '../server/failures.server';
import { NO_DOCUMENT_POLICY } from '../server/security-headers.server';

/** Where a successful response has its payload: beside `success`, under `data`, or alone. */
export type Envelope = 'fields' | 'data' | 'bare';

/** The schema of the whole response body. With the envelope `fields`, `payload` must be an object schema. */
export function envelopeSchema(envelope: Envelope, payload: z.ZodType): z.ZodType {
  const success = z.literal(true);
  if (envelope === 'bare') return payload;
  if (envelope === 'data') return z.object({ success, data: payload });
  if (!(payload instanceof z.ZodObject)) throw new TypeError('the envelope `fields` needs an object schema');
  return z.object({ success, ...payload.shape });
}

/** The response body for a payload. */
export function wrapPayload(envelope: Envelope, payload: unknown): unknown {
  if (envelope === 'bare') return payload;
  return envelope === 'data' ? { success: true, data: payload } : { success: true, ...(payload as object) };
}

interface ReplyOptions {
  /** By default the status that the call declares. */
  status?: number;
  headers?: Headers;
}

/** A payload that `run` returns with its own status or headers. */
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

interface JsonResponseOptions {
  status: number;
  /** `no-store` by default. */
  cacheControl?: string;
  headers?: HeadersInit;
}

/** A JSON response with the headers that all JSON responses of the site share. */
export function jsonResponse(body: unknown, options: JsonResponseOptions): Response {
  return jsonTextResponse(JSON.stringify(body), options);
}

/** `jsonResponse` for a body that is already JSON text. */
export function jsonTextResponse(
  text: string,
  { status, cacheControl = 'no-store', headers }: JsonResponseOptions,
): Response {
  const all = new Headers(headers);
  all.set('Content-Type', 'application/json; charset=utf-8');
  all.set('Cache-Control', cacheControl);
  all.set('Content-Security-Policy', NO_DOCUMENT_POLICY);
  return new Response(text, { status, headers: all });
}

/** The response of a failed API call: `errors` only for invalid fields, `reason` only from an outside service. */
export function failureResponse({ status, code, message, reason, errors, headers }: Failure): Response {
  const body = { success: false, message, code, ...(reason && { reason }), ...(errors && { errors }) };
  return jsonResponse(body, { status, headers });
}

/** The response to a page or a program that polls, while the data cannot be read. */
export function unavailableResponse(): Response {
  return jsonResponse(null, { status: 503, headers: { 'Retry-After': String(BUSY_RETRY_SECONDS) } });
}

/** The response to a page that polls: the data as JSON. If it cannot be read, logs the error and responds with 503. */
export async function pollResponse(load: () => Promise<object>): Promise<Response> {
  const loaded = await loadOptional(load);
  return loaded === null ? unavailableResponse() : jsonResponse(loaded, { status: 200 });
}

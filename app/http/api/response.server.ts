import { z } from 'zod';
import type { Failure } from '../server/failures.server';
import { NO_DOCUMENT_POLICY } from '../server/security-headers.server';

/** Where a success puts its payload: beside `success`, under `data`, or alone without an envelope. */
export type Envelope = 'fields' | 'data' | 'bare';

/** The schema of a whole answer, made from the schema of its payload. */
export function envelopeSchema(envelope: Envelope, answer: z.ZodType): z.ZodType {
  const success = z.literal(true);
  if (envelope === 'bare') return answer;
  if (envelope === 'data') return z.object({ success, data: answer });
  if (!(answer instanceof z.ZodObject))
    throw new TypeError('an answer of named fields is declared as an object');
  return z.object({ success, ...answer.shape });
}

/** A payload as it is answered. */
export function enveloped(envelope: Envelope, payload: unknown): unknown {
  if (envelope === 'bare') return payload;
  return envelope === 'data' ? { success: true, data: payload } : { success: true, ...(payload as object) };
}

interface ReplyOptions {
  /** When it differs from the status that the call declares. */
  status?: number;
  headers?: Headers;
}

/** A success with a status or headers of its own. */
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

interface JsonAnswerOptions {
  status: number;
  /** `no-store` by default: only public answers may be cached. */
  cacheControl?: string;
  headers?: HeadersInit;
}

/** A JSON answer with the headers that every JSON answer of the site has. */
export function jsonAnswer(body: unknown, options: JsonAnswerOptions): Response {
  return jsonTextAnswer(JSON.stringify(body), options);
}

/** The same for a body that is already JSON text. */
export function jsonTextAnswer(
  text: string,
  { status, cacheControl = 'no-store', headers }: JsonAnswerOptions,
): Response {
  const all = new Headers(headers);
  all.set('Content-Type', 'application/json; charset=utf-8');
  all.set('Cache-Control', cacheControl);
  all.set('Content-Security-Policy', NO_DOCUMENT_POLICY);
  return new Response(text, { status, headers: all });
}

/** The failure envelope of the API. `errors` is present only when fields are at fault. */
export function failureAnswer({ status, code, message, errors, headers }: Failure): Response {
  return jsonAnswer({ success: false, message, code, ...(errors && { errors }) }, { status, headers });
}

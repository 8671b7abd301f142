import type { Failure } from '../failures.server';
import { NO_DOCUMENT_POLICY } from '../server/security-headers.server';

export interface JsonAnswerOptions {
  status: number;
  /** Only public answers may be kept by anyone. */
  cacheControl?: string;
  headers?: HeadersInit;
}

/** A JSON answer with the headers that every one of ours has. */
export function jsonAnswer(body: unknown, options: JsonAnswerOptions): Response {
  return jsonTextAnswer(JSON.stringify(body), options);
}

/** The same for a body that is JSON text already. */
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

/** The failure envelope of the API. `errors` is there only when fields are at fault. */
export function failureAnswer({ status, code, message, errors, headers }: Failure): Response {
  return jsonAnswer({ success: false, message, code, ...(errors && { errors }) }, { status, headers });
}

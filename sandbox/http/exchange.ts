import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** One request and its answer, with what the router found out about it. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
  params: Record<string, string>;
  /** Epoch milliseconds at which the request's head was complete: before its body is read or judged. */
  arrivedAt: number;
}

/** A body longer than the sandbox is willing to hold; the server answers 413. */
export class BodyTooLarge extends Error {}

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** The whole request body. Throws {@link BodyTooLarge} above 8 MiB. */
export async function readBody({ req }: Exchange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLarge(`more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Answers with text or bytes; `content-length` is set, so that connections stay usable. */
export function answer(
  { res }: Exchange,
  status: number,
  headers: OutgoingHttpHeaders = {},
  body: string | Buffer = '',
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const mayHaveBody = status !== 204 && status !== 304;
  res.writeHead(status, mayHaveBody ? { 'content-length': bytes.length, ...headers } : headers);
  res.end(mayHaveBody ? bytes : undefined);
}

export function answerJson(
  exchange: Exchange,
  status: number,
  value: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  answer(exchange, status, { 'content-type': 'application/json', ...headers }, JSON.stringify(value));
}

export function answerHtml(
  exchange: Exchange,
  status: number,
  html: string,
  headers: OutgoingHttpHeaders = {},
): void {
  answer(exchange, status, { 'content-type': 'text/html; charset=utf-8', ...headers }, html);
}

export function redirect(exchange: Exchange, status: 302 | 303, location: string): void {
  answer(exchange, status, { location, 'cache-control': 'no-store' });
}

/** Cuts the connection without an answer, as a crashing server or a bad network would. */
export function dropConnection({ res }: Exchange): void {
  res.socket?.resetAndDestroy();
}

/**
 * Waits before answering. Resolves false as soon as the caller hangs up (or the sandbox closes): nobody is left
 * to answer then, and no timer outlives the connection.
 * @param ms milliseconds to wait; 0 returns at once
 */
export function pause({ res }: Exchange, ms: number): Promise<boolean> {
  if (ms <= 0) return Promise.resolve(!res.destroyed);
  return new Promise((resolve) => {
    const finish = (stillThere: boolean) => {
      clearTimeout(timer);
      res.off('close', hungUp);
      resolve(stillThere);
    };
    const hungUp = () => finish(false);
    const timer = setTimeout(() => finish(true), ms);
    res.once('close', hungUp);
    if (res.destroyed) hungUp();
  });
}

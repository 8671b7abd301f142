import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';

interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    url: URL;
    /** Epoch milliseconds at which the request's head was complete, before its body is read. */
    arrivedAt: number;
  };
}

/** The routes of a service. */
export type App = Hono<AppEnv>;

/** One request with its variables. */
export type RequestContext = Context<AppEnv>;

export type ResponseHeaders = Record<string, string | string[]>;

export function createApp(): App {
  return new Hono<AppEnv>();
}

/** A response with text or bytes. A status without a body (204, 304) gets none. */
export function respond(status: number, headers: ResponseHeaders = {}, body: string | Buffer = ''): Response {
  const list = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const mayHaveBody = status !== 204 && status !== 304;
  return new Response(mayHaveBody ? (typeof body === 'string' ? body : new Uint8Array(body)) : null, {
    status,
    headers: list,
  });
}

export function respondJson(status: number, value: unknown, headers: ResponseHeaders = {}): Response {
  return respond(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(value));
}

export function respondHtml(status: number, html: string, headers: ResponseHeaders = {}): Response {
  return respond(status, { 'content-type': 'text/html; charset=utf-8', ...headers }, html);
}

export function redirect(status: 302 | 303, location: string): Response {
  return respond(status, { location, 'cache-control': 'no-store' });
}

/** Never responds: the connection stays open until the caller closes it. */
export function hang(): Promise<Response> {
  return new Promise(() => {});
}

/** Resets the connection without a response, as a crashing server or a bad network does. */
export function dropConnection({ env }: RequestContext): Response {
  env.outgoing.socket?.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** The result of a handler whose caller has closed the connection. */
export const CALLER_GONE = RESPONSE_ALREADY_SENT;

/**
 * Waits before answering. Resolves false as soon as the caller closes the connection (or the sandbox stops), so no timer
 * outlives the connection.
 * @param ms milliseconds to wait; 0 returns at once
 */
export function pause({ env: { outgoing } }: RequestContext, ms: number): Promise<boolean> {
  if (ms <= 0) return Promise.resolve(!outgoing.destroyed);
  return new Promise((resolve) => {
    const finish = (isConnected: boolean) => {
      clearTimeout(timer);
      outgoing.off('close', onClose);
      resolve(isConnected);
    };
    const onClose = () => finish(false);
    const timer = setTimeout(() => finish(true), ms);
    outgoing.once('close', onClose);
    if (outgoing.destroyed) onClose();
  });
}

import { answer, answerJson, type AnswerHeaders, type Exchange } from '../http/app';

/** What the webhook API says to one request; a `string` body is sent as it is, anything else as JSON. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: AnswerHeaders;
}

export const UNKNOWN_WEBHOOK: Reply = { status: 404, body: { message: 'Unknown Webhook', code: 10015 } };
export const UNKNOWN_MESSAGE: Reply = { status: 404, body: { message: 'Unknown Message', code: 10008 } };
export const WRONG_TOKEN: Reply = { status: 401, body: { message: 'Invalid Webhook Token', code: 50027 } };
const UNKNOWN_CHANNEL: Reply = { status: 404, body: { message: 'Unknown Channel', code: 10003 } };

const FAULTS: Record<number, Reply['body']> = {
  400: { message: 'Invalid Form Body', code: 50035 },
  401: WRONG_TOKEN.body,
  403: { message: 'Missing Permissions', code: 50013 },
  404: UNKNOWN_WEBHOOK.body,
  500: { message: '500: Internal Server Error', code: 0 },
};

/** The answer with a status that a fault asks for, in the words Discord has for it. */
export function faultReply(status: number): Reply {
  const body = FAULTS[status];
  if (body) return { status, body };
  if (status < 500) return { status, body: { message: `${status}: Refused`, code: 0 } };
  // Gateway faults come from the proxy in front of Discord, which speaks HTML.
  const html = `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>cloudflare</body></html>`;
  return {
    status,
    body: html,
    headers: { 'content-type': 'text/html; charset=utf-8', server: 'cloudflare' },
  };
}

/** Refused before the body is looked at: no channel here has threads, and only JSON is understood. */
export function refuseUnread({ req, var: { url } }: Exchange): Reply | null {
  if (!/^application\/json\b/i.test(req.header('content-type') ?? '')) {
    const message = 'Expected "Content-Type" header to be one of {\'application/json\'}.';
    return { status: 400, body: { message, code: 50035 } };
  }
  return url.searchParams.has('thread_id') ? UNKNOWN_CHANNEL : null;
}

export function toResponse({ status, body, headers }: Reply): Response {
  return body === undefined || typeof body === 'string'
    ? answer(status, headers, body)
    : answerJson(status, body, headers);
}

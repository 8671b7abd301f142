import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { decodeText } from './decode-text';
import { normaliseHeaders } from './response-headers';

export interface SavedPage {
  page: Buffer | string;
  /** HTTP status. Default: the one in the headers' status line, else 200. */
  status?: number;
  /** The URL the page was saved from. Without it, every link counts as internal. */
  url?: string;
  /** JSON (an object or a list of pairs) or raw "Name: value" lines, a status line allowed. */
  headersText?: string;
}

const NO_ADDRESS = 'about:blank';

/** Turns a saved page into an answer that can be judged. Throws a SyntaxError for headers that are broken JSON. */
export function answerFromFile({ page, status, url = NO_ADDRESS, headersText = '' }: SavedPage): PageAnswer {
  const saved = readHeadersText(headersText);
  const contentType = [saved.headers['content-type'] ?? ''].flat()[0] ?? '';
  const { text, decodable } =
    typeof page === 'string' ? { text: page, decodable: true } : decodeText(page, contentType);
  return {
    requestUrl: url,
    finalUrl: url,
    status: status ?? saved.status ?? 200,
    headers: saved.headers,
    body: text,
    decodable,
    hops: [],
    unverified: false,
  };
}

function readHeadersText(text: string): { headers: PageAnswer['headers']; status: number | null } {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    return { headers: normaliseHeaders(JSON.parse(trimmed)), status: null };
  }
  const lines = trimmed.split(/\r?\n/);
  const status = /^HTTP\/[\d.]+ (\d{3})/i.exec(lines[0] ?? '')?.[1];
  const pairs = lines.flatMap((line) => {
    const match = /^([\w!#$%&'*+.^`|~-]+):(.*)$/.exec(line.trim());
    return match?.[1] === undefined ? [] : [[match[1], match[2]?.trim() ?? '']];
  });
  return { headers: normaliseHeaders(pairs), status: status === undefined ? null : Number(status) };
}

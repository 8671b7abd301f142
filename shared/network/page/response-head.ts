/** The start of an HTTP/1 response. */
export interface ResponseHead {
  status: number;
  /** In the order of the response. Names are lower case; each character of a value is one byte. */
  headers: [name: string, value: string][];
}

const MAX_HEADERS = 2_000;
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * Finds the end of a response's head: an empty line, with or without carriage returns. Searches from `from`; null when
 * the end is not among the bytes. `bodyAt`: where the body starts.
 */
export function findHeadEnd(bytes: Buffer, from = 0): { bodyAt: number } | null {
  for (let at = bytes.indexOf(10, Math.max(0, from - 2)); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return { bodyAt: at + 2 };
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return { bodyAt: at + 3 };
  }
  return null;
}

/**
 * Where the status line starts: after empty lines and at most four bytes of rubbish, as in Chromium
 * (net/http/http_util.cc, LocateStartOfStatusLine). `missing`: the bytes are no HTTP response. `unclear`: too few came.
 */
export function findStatusLine(bytes: Buffer): number | 'missing' | 'unclear' {
  let at = 0;
  while (at < bytes.length && (bytes[at] === 13 || bytes[at] === 10)) at += 1;
  const start = bytes.toString('latin1', at, at + 8).toLowerCase();
  if (start.startsWith('icy ')) return at;
  const found = start.indexOf('http');
  if (found !== -1) return at + found;
  return start.length < 8 ? 'unclear' : 'missing';
}

/**
 * Reads the head of an HTTP/1 response as leniently as Chromium does (net/http/http_response_headers.cc): lines end with
 * CR, LF or both; a line that begins with white space continues the one before; NUL bytes are removed; lines without a
 * colon or with a name that is no token are dropped; a status line without a status means 200.
 */
export function parseHead(bytes: Buffer): ResponseHead {
  const text = bytes.toString('latin1').replaceAll('\0', '');
  const [statusLine = '', ...lines] = text.split(/\r\n|\r|\n/);
  const headers: ResponseHead['headers'] = [];
  let last: [string, string[]] | null = null;
  const finish = (): void => {
    if (last !== null) headers.push([last[0], last[1].join(' ')]);
    last = null;
  };
  for (const line of lines) {
    if (line === '') continue;
    if (line.startsWith(' ') || line.startsWith('\t')) {
      last?.[1].push(trimBlanks(line));
      continue;
    }
    finish();
    const colon = line.indexOf(':');
    const name = colon === -1 ? '' : trimBlanks(line.slice(0, colon)).toLowerCase();
    if (NAME.test(name) && headers.length < MAX_HEADERS) last = [name, [trimBlanks(line.slice(colon + 1))]];
  }
  finish();
  return { status: readStatus(statusLine), headers };
}

/** The status of "HTTP/1.1 200 OK" and of its odd relatives; 0 for one outside 100 to 999. */
function readStatus(line: string): number {
  const match = /^(?:http(?:\/[\d.]*)?|icy)[ \t]*(\d*)/i.exec(line);
  const digits = match?.[1] ?? '';
  if (digits === '') return 200;
  const status = Number(digits);
  return status >= 100 && status <= 999 ? status : 0;
}

/** Removes spaces and tabs at both ends; `trim` would remove other characters, too. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}

/** The values of one header of a response. */
export function valuesOf(headers: ResponseHead['headers'], name: string): string[] {
  return headers.flatMap(([other, value]) => (other === name ? [value] : []));
}

/** A mail taken apart far enough to be read by a person or a test. */
export interface ReadMail {
  from: string;
  to: string;
  subject: string;
  date: string | null;
  /** Header names in lower case; of a repeated one, the last. */
  headers: Record<string, string>;
  text: string | null;
  html: string | null;
}

interface Part {
  headers: Record<string, string>;
  body: Buffer;
}

const MAX_DEPTH = 8;

/**
 * Reads headers (folded, RFC 2047 encoded words), transfer encodings, and the first text and HTML parts, however
 * deep their multiparts nest. Attachments are left in the raw message. Sources: RFC 5322 §2.2.3, RFC 2045 §6,
 * RFC 2046 §5.1, RFC 2047 §2.
 */
export function readMail(raw: Buffer): ReadMail {
  const top = splitPart(raw);
  const bodies: { text: string | null; html: string | null } = { text: null, html: null };
  collectBodies(top, bodies, 0);
  const header = (name: string) => decodeWords(top.headers[name] ?? '');
  return {
    from: header('from'),
    to: header('to'),
    subject: header('subject'),
    date: top.headers.date ?? null,
    headers: Object.fromEntries(
      Object.entries(top.headers).map(([name, value]) => [name, decodeWords(value)]),
    ),
    ...bodies,
  };
}

function splitPart(bytes: Buffer): Part {
  // latin1 keeps one character per byte, so that positions in the text are positions in the bytes.
  const source = bytes.toString('latin1');
  const end = /\r?\n\r?\n/.exec(source);
  const head = end ? source.slice(0, end.index) : source;
  const headers: Record<string, string> = {};
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = utf8(line.slice(colon + 1).trim());
  }
  return { headers, body: end ? bytes.subarray(end.index + end[0].length) : Buffer.alloc(0) };
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

function collectBodies(part: Part, found: { text: string | null; html: string | null }, depth: number): void {
  const type = part.headers['content-type'] ?? 'text/plain';
  const mime = (type.split(';')[0] ?? '').trim().toLowerCase();
  if (mime.startsWith('multipart/') && depth < MAX_DEPTH) {
    const boundary = parameter(type, 'boundary');
    if (boundary)
      for (const inner of splitMultipart(part.body, boundary)) collectBodies(inner, found, depth + 1);
    return;
  }
  if (/^attachment\b/i.test(part.headers['content-disposition'] ?? '')) return;
  const decoded = () => decodeCharset(decodeTransfer(part), parameter(type, 'charset'));
  if (mime === 'text/html') found.html ??= decoded();
  else if (mime.startsWith('text/')) found.text ??= decoded();
}

function splitMultipart(body: Buffer, boundary: string): Part[] {
  const pieces = `\n${body.toString('latin1')}`.split(`\n--${boundary}`);
  return pieces
    .slice(1)
    .filter((piece) => !piece.startsWith('--'))
    .map((piece) => splitPart(Buffer.from(piece.replace(/^[ \t]*\r?\n/, '').replace(/\r$/, ''), 'latin1')));
}

function decodeTransfer({ headers, body }: Part): Buffer {
  switch ((headers['content-transfer-encoding'] ?? '').trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body.toString('latin1'), 'base64');
    case 'quoted-printable':
      return unquote(body.toString('latin1').replace(/=[ \t]*\r?\n/g, ''));
    default:
      return body;
  }
}

function unquote(text: string): Buffer {
  const decoded = text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

function decodeCharset(bytes: Buffer, charset: string | null): string {
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

function decodeWords(value: string): string {
  return value
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(
      /=\?([^?*]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi,
      (_, charset: string, encoding: string, word: string) => {
        const bytes =
          encoding.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : unquote(word.replaceAll('_', ' '));
        return decodeCharset(bytes, charset);
      },
    );
}

function parameter(header: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(header);
  return found?.[1] ?? found?.[2] ?? null;
}

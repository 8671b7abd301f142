import { TextDecoder } from '@exodus/bytes/encoding.js';
import sniffEncoding from 'html-encoding-sniffer';

const BINARY_STARTS = [
  '89504e47',
  '47494638',
  'ffd8ff',
  '25504446',
  '504b0304',
  '1f8b08',
  '28b52ffd',
  '52494646',
  '00000100',
];
/** Stands for "no character set is named", which no page can name. */
const NONE = 'none';

/**
 * Decodes a body as the HTML standard says (13.2.3, "The input byte stream"): by its byte order mark, else by the header's
 * character set, else by the one that the page names in its first 1024 bytes. Without any, as UTF-8 if that is valid, else
 * as windows-1252. Bytes that are not text yield an empty text and `decodable: false`.
 */
export function decodeText(bytes: Buffer, contentType: string): { text: string; decodable: boolean } {
  if (bytes.length === 0) return { text: '', decodable: true };
  const hex = bytes.toString('hex', 0, 4);
  if (BINARY_STARTS.some((magic) => hex.startsWith(magic))) return { text: '', decodable: false };
  const charset = sniffEncoding(bytes, {
    transportLayerEncodingLabel: charsetOf(contentType),
    defaultEncoding: NONE,
  });
  const start = bytes.subarray(0, 4096);
  const isDeclaredText = /^\s*(?:text\/|application\/(?:xhtml|json|xml))/i.test(contentType);
  const isWide = charset.startsWith('UTF-16');
  if (!isWide && (isDeclaredText ? isMostlyControl(start) : start.includes(0)))
    return { text: '', decodable: false };
  if (charset !== NONE) return { text: plain(new TextDecoder(charset).decode(bytes)), decodable: true };
  try {
    return { text: plain(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), decodable: true };
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    return { text: plain(text), decodable: !isMostlyControl(start) };
  }
}

/** Browsers leave out NUL characters of a page (HTML standard, 13.2.5). */
function plain(text: string): string {
  return text.replaceAll('\0', '');
}

/** The charset parameter of a media type (MIME Sniffing standard, 4.4), or undefined. */
function charsetOf(contentType: string): string | undefined {
  for (const parameter of contentType.slice(0, 1000).split(/[;,]/).slice(1)) {
    const equals = parameter.indexOf('=');
    if (equals === -1 || parameter.slice(0, equals).trim().toLowerCase() !== 'charset') continue;
    const value = parameter
      .slice(equals + 1)
      .replace(/["']/g, ' ')
      .trim();
    if (value !== '') return value;
  }
  return undefined;
}

function isMostlyControl(start: Buffer): boolean {
  let control = 0;
  for (const byte of start) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) control += 1;
  return control / start.length > 0.05;
}

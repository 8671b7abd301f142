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
/** Browsers' replacement for charsets that attackers use to hide markup (Encoding standard, 4.2): they show no page. */
const REPLACEMENT = 'replacement';
/** Starts of a page that has no media type (MIME Sniffing standard, 7.1). */
const PAGE_START =
  /^(?:\ufeff|\u00ef\u00bb\u00bf)?\s*<(?:!doctype html|html|head|body|title|script|style|!--)/i;

/**
 * Decodes a body as the HTML standard says (13.2.3, "The input byte stream"): by its byte order mark, else by the header's
 * character set, else by the one that the page names in its first 1024 bytes. Without any, as UTF-8 if that is valid, else
 * as windows-1252. `contentType`: the header, or several joined with commas. Bytes that are not text yield an empty text
 * and `decodable: false`.
 */
export function decodeText(bytes: Buffer, contentType: string): { text: string; decodable: boolean } {
  if (bytes.length === 0) return { text: '', decodable: true };
  const hex = bytes.toString('hex', 0, 4);
  if (BINARY_STARTS.some((magic) => hex.startsWith(magic))) return { text: '', decodable: false };
  const charset = sniffEncoding(bytes, {
    transportLayerEncodingLabel: charsetOf(contentType),
    defaultEncoding: NONE,
  });
  if (charset === REPLACEMENT) return { text: '', decodable: false };
  const start = bytes.subarray(0, 4096);
  const isDeclaredText =
    /^\s*(?:text\/|application\/(?:xhtml|json|xml))/i.test(contentType) ||
    PAGE_START.test(start.toString('latin1', 0, 512));
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

/** The charset of a content type (Fetch standard, "extract a MIME type"): of several, the last that names one counts. */
function charsetOf(contentType: string): string | undefined {
  const types = contentType.slice(0, 1000).split(',').reverse();
  return types.map(charsetParameter).find((charset) => charset !== undefined);
}

/** The charset parameter of a media type (MIME Sniffing standard, 4.4), or undefined. */
function charsetParameter(mediaType: string): string | undefined {
  for (const parameter of mediaType.split(';').slice(1)) {
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

/** Control characters that pages may have: browsers leave out NUL, and ESC is part of ISO-2022-JP. */
const PAGE_CONTROLS: ReadonlySet<number> = new Set([0, 9, 10, 12, 13, 27]);

function isMostlyControl(start: Buffer): boolean {
  let control = 0;
  for (const byte of start) if (byte < 32 && !PAGE_CONTROLS.has(byte)) control += 1;
  return control / start.length > 0.05;
}

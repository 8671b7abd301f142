import { escapeHtml } from '#shared/text';

// Characters that XML 1.0 has no way to write (w3.org/TR/xml/#charsets), lone surrogates among them.
const NOT_IN_XML =
  // oxlint-disable-next-line no-control-regex -- matched on purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text without the characters that XML cannot hold. */
export function inXml(text: string): string {
  return text.replace(NOT_IN_XML, '');
}

/** A text as HTML: the feed's titles and summaries are HTML, and `feed` writes them as they come. */
export function asHtml(text: string): string {
  return escapeHtml(inXml(text));
}

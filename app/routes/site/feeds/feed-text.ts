import { escapeHtml } from '#shared/text';

// Characters that XML 1.0 cannot represent (w3.org/TR/xml/#charsets), lone surrogates among them.
const NOT_IN_XML =
  // oxlint-disable-next-line no-control-regex -- matched on purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Removes the characters that XML cannot represent. */
export function inXml(text: string): string {
  return text.replace(NOT_IN_XML, '');
}

/** Escapes a text as HTML: the feed's titles and summaries are HTML, and `feed` does not escape them. */
export function asHtml(text: string): string {
  return escapeHtml(inXml(text));
}

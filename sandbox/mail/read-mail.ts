import PostalMime, { decodeWords, type Address } from 'postal-mime';

/** The parts of a mail that people and tests read. */
export interface ReadMail {
  from: string;
  to: string;
  subject: string;
  /** Header names in lower case; of a repeated one, the last. */
  headers: Record<string, string>;
  text: string | null;
  html: string | null;
}

/** Parses a raw mail. Attachments are left in the raw message. */
export async function readMail(raw: Buffer): Promise<ReadMail> {
  const { from, to = [], subject = '', headers, text, html } = await PostalMime.parse(raw);
  return {
    from: from === undefined ? '' : formatAddress(from),
    to: to.map(formatAddress).join(', '),
    subject,
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, decodeWords(value)])),
    text: text === undefined ? (html === undefined ? '' : null) : withoutAddedLine(text),
    html: html === undefined ? null : withoutAddedLine(html),
  };
}

function formatAddress({ name, address }: Address): string {
  return name === '' ? (address ?? '') : `${name} <${address}>`;
}

/** Removes the line break that the parser adds to each part. */
function withoutAddedLine(text: string): string {
  return text.replace(/\n$/, '');
}

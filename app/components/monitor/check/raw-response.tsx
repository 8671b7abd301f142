import { pageTextAddress } from '../monitor-addresses';

/** Beside this much, the whole response is a separate file: a page would hold it twice, as HTML and as data. */
const SHOWN_CHARACTERS = 10_000;

/** The shop's answer as text. */
export interface ResponseText {
  checkId: string;
  /** In characters, of the whole response. */
  length: number;
  /** Its beginning; null once it is no longer stored. */
  beginning: string | null;
}

/** The beginning of a stored response. `body`: null once it is no longer stored. */
export function beginningOf(body: string | null): string | null {
  return body === null ? null : body.slice(0, SHOWN_CHARACTERS);
}

/** A response as text, never as HTML. */
export function RawResponse({ slug, response }: { slug: string; response: ResponseText }) {
  const { checkId, length, beginning } = response;
  if (length === 0) return <p className="text-soft">The response was empty.</p>;
  if (beginning === null)
    return <p className="text-soft">The response is no longer stored: it is kept for a week.</p>;
  return (
    <>
      <p className="text-small text-soft">
        {beginning.length < length
          ? `The first ${beginning.length.toLocaleString('en-GB')} of ${length.toLocaleString('en-GB')} characters. `
          : `${length.toLocaleString('en-GB')} characters. `}
        <a
          href={pageTextAddress(slug, checkId)}
          className="font-semibold text-brand underline underline-offset-4 hover:no-underline"
        >
          Everything that is stored, as text
        </a>
      </p>
      <pre
        role="region"
        aria-label="Raw response"
        tabIndex={0}
        className="max-h-[24rem] overflow-auto rounded-control border border-line bg-sunken p-3 text-small [overflow-wrap:anywhere] whitespace-pre-wrap"
      >
        {beginning}
      </pre>
    </>
  );
}

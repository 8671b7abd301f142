/** The one result of a page's form. A refusal is the answer to the form; a success is the flash notice of the page it leads to. */
export interface FormResult<Details = unknown> {
  /** Which form of the page. */
  intent: string;
  ok: boolean;
  /** A sentence for a person; empty when there is nothing to say. */
  message: string;
  /** The stable name of a refusal. */
  code?: string;
  /** Sentences per field at fault; where they stand beside their fields, `message` is not shown. */
  errors?: Record<string, string[]>;
  /** What was typed, for a page that is rendered anew. */
  values?: Record<string, string>;
  /** What else this form reports. */
  details?: Details;
}

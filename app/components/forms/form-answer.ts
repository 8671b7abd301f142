/** What came of a form on a page with several: said where the form is, told apart by its `intent`. */
export interface FormAnswer {
  intent: string;
  ok: boolean;
  /** A sentence for a person. */
  message: string;
  /** Sentences per field at fault; where they stand beside their fields, `message` is not shown. */
  errors?: Record<string, string[]>;
  /** What was typed, for a page that has to be made anew. */
  values?: Record<string, string>;
}

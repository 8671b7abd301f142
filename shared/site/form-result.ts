/** The result of a page's form. An error is the response to the form; a success is the flash notice of the page it redirects to. */
export interface FormResult<Details = unknown> {
  /** The form of the page. */
  intent: string;
  ok: boolean;
  /** A sentence for the user; empty for none. */
  message: string;
  /** The error's stable code. */
  code?: string;
  /** Sentences per invalid field. If they are shown next to their fields, `message` is not shown. */
  errors?: Record<string, string[]>;
  /** The submitted values, to render the form again. */
  values?: Record<string, string>;
  /** Further data of this form. */
  details?: Details;
  /** Without scripts: the refusals of the page's other forms, which stay until their form is sent again. */
  others?: FormResult[];
  /** Without scripts: a refusal among `others`, so another form was sent last. */
  earlier?: true;
  /** Without scripts: the sealed refusal, for `OTHER_REFUSALS`. */
  token?: string;
}

/** The hidden field with the tokens of the refusals of a page's other forms, separated by spaces. */
export const OTHER_REFUSALS = 'otherRefusals';

/** Markup that is safe to send: made by {@link html} or by something that escaped its texts itself. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Part[] | null | undefined | false;

/** A template whose values are escaped unless they are markup already; undefined, false and null print nothing. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return { markup: strings.map((text, index) => text + print(values[index])).join('') };
}

/** Text that is markup already: CSS and scripts of ours, never anything that came in. */
export function trusted(markup: string): Html {
  return { markup };
}

function print(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'markup' in part ? part.markup : part.map(print).join('');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Markup that is safe to send: made by {@link html} or by something that escaped its texts itself. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Part[] | null | undefined | false;

/** A template whose values are escaped unless they are markup already; nothing, false and null leave no trace. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return { markup: strings.map((text, index) => text + print(values[index])).join('') };
}

/** Text that is markup already: CSS and scripts of ours, never anything that came in. */
export function trusted(markup: string): Html {
  return { markup };
}

function print(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escape(part);
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

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

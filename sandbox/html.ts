/** Safe markup, made by {@link html} or {@link trusted}. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Part[] | null | undefined | false;

/** A template tag that escapes its values, except markup. Undefined, false and null print nothing. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Html {
  return { markup: strings.map((text, index) => text + print(values[index])).join('') };
}

/** Marks our own CSS and scripts as markup. Never use it for input. */
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

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

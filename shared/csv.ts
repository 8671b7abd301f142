/** Spreadsheets run a cell that starts like this as a formula (owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Prefixes a text with an apostrophe if a spreadsheet would run it as a formula. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${withoutFormula(text).replaceAll('"', '""')}"`;
}

/** Formats a CSV line (RFC 4180) with its line break. Texts are quoted, so that an empty text differs from null. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

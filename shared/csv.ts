/** Spreadsheets take a cell that begins so for a formula (owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text for a field of CSV. An apostrophe comes before one that a spreadsheet would take for a formula. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${withoutFormula(text).replaceAll('"', '""')}"`;
}

/** A line of CSV (RFC 4180), with its end. Texts are quoted, also empty ones, which tells them from null. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** Pence (a whole number) → pounds as a number, for JSON: 499 → 4.99. Nothing is computed with the result. */
export function toPounds(pence: number): number {
  return pence / 100;
}

/** Pence → text for a person: 499 → "£4.99", 123456 → "£1,234.56", -250 → "-£2.50". */
export function formatPounds(pence: number): string {
  const whole = Math.trunc(Math.abs(pence) / 100).toLocaleString('en-GB');
  return `${pence < 0 ? '-' : ''}£${whole}.${String(Math.abs(pence) % 100).padStart(2, '0')}`;
}

/** The text of an amount → pence: "4.99" → 499, "5" → 500. Null for anything else. Uses no fractions. */
export function parsePounds(text: string): number | null {
  const match = /^£?(\d{1,7})(?:\.(\d{2}))?$/.exec(text.trim());
  return match === null ? null : Number(`${match[1]}${match[2] ?? '00'}`);
}

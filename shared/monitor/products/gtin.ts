/**
 * A GTIN of 8, 12, 13 or 14 digits, without spaces and hyphens, or null when it has another length or a wrong check digit
 * (GS1 General Specifications, 7.9).
 */
export function readGtin(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const digits = String(value)
    .slice(0, 40)
    .replace(/^(?:urn:)?(?:gtin|ean|upc|isbn)(?:-?\d{1,2})?:\s*/i, '')
    .replace(/[\s-]/g, '');
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits) || /^0+$/.test(digits)) return null;
  const weighted = [...digits].reverse().map((digit, index) => Number(digit) * (index % 2 === 1 ? 3 : 1));
  return weighted.reduce((sum, part) => sum + part, 0) % 10 === 0 ? digits : null;
}

/** Whether two GTINs are of one product: leading zeros do not count. */
export function isSameGtin(one: string, other: string): boolean {
  return one.padStart(14, '0') === other.padStart(14, '0');
}

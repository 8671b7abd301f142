const wholePounds = new Intl.NumberFormat('en-GB');

/** Integer pence as pounds for a person: "£9.99", "£1,200.00", "-£0.50". Throws for a part of a penny. */
export function formatPounds(pence: number): string {
  if (!Number.isSafeInteger(pence)) throw new Error(`not a whole number of pence: ${pence}`);
  const size = Math.abs(pence);
  const rest = size % 100;
  const text = `£${wholePounds.format((size - rest) / 100)}.${String(rest).padStart(2, '0')}`;
  return pence < 0 ? `-${text}` : text;
}

/** Integer pence as pounds for JSON: 499 → 4.99. Nothing is computed with the result. */
export function toPounds(pence: number): number {
  return pence / 100;
}

/** The text of an amount → pence: "4.99" → 499, "5" → 500. Null for anything else. Uses no fractions. */
export function parsePounds(text: string): number | null {
  const match = /^£?(\d{1,7})(?:\.(\d{2}))?$/.exec(text.trim());
  return match === null ? null : Number(`${match[1]}${match[2] ?? '00'}`);
}

/** A price in minor units of an ISO 4217 currency. */
export interface Money {
  amount: number;
  currency: string;
}

function moneyFormat(currency: string): { format: Intl.NumberFormat; minorUnits: number } {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  return { format, minorUnits: 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2) };
}

/** A price for a person: "£49.99", "€1,299.00". */
export function formatMoney({ amount, currency }: Money): string {
  if (currency === 'GBP') return formatPounds(amount);
  const { format, minorUnits } = moneyFormat(currency);
  return format.format(amount / minorUnits);
}

/** A price for JSON, in the main unit of its currency: 4999 pence → 49.99. Nothing is computed with the result. */
export function toMainUnit({ amount, currency }: Money): Money {
  return { amount: amount / moneyFormat(currency).minorUnits, currency };
}

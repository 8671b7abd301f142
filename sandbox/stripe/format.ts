/**
 * Such as `£9.99`.
 * @param amount in the currency's smallest unit
 */
export function formatMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amount / 100);
}

/** Such as `22 Nov 2026`. */
export function formatDay(epochSeconds: number, timeZone = 'Europe/London'): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone }).format(epochSeconds * 1_000);
}

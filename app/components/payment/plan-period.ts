const MONTH_DAYS = 30;
const YEAR_DAYS = 365;

/** Whether a plan is labelled as the yearly one. */
export function isYearly(durationDays: number): boolean {
  return durationDays === YEAR_DAYS;
}

/** The period of a plan's price: "per month", "per year", "per 90 days". */
export function perPeriod(durationDays: number): string {
  if (durationDays === MONTH_DAYS) return 'per month';
  return isYearly(durationDays) ? 'per year' : `per ${durationDays} days`;
}

/** How often a plan renews: "every 30 days". */
export function everyPeriod(durationDays: number): string {
  return durationDays === 1 ? 'every day' : `every ${durationDays} days`;
}

/** The balance that fills the bar. */
export const BAR_TOKENS = 200;

const STATUSES = [
  { above: 100, label: 'Excellent', textClass: 'text-open', barClass: '[--meter:var(--open)]' },
  { above: 20, label: 'Good', textClass: 'text-unknown', barClass: '[--meter:var(--unknown)]' },
] as const;

const LOW = { label: 'Low', textClass: 'text-live', barClass: '[--meter:var(--live)]' } as const;

/** The usage status of a token balance, with its colours. */
export function tokenStatus(balance: number) {
  return STATUSES.find(({ above }) => balance > above) ?? LOW;
}

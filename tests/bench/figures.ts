/** Milliseconds of a series: the middle, the hundredth worst, the worst. */
export interface Figures {
  n: number;
  p50: number;
  p99: number;
  max: number;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function figuresOf(series: readonly number[]): Figures {
  const sorted = [...series].sort((a, b) => a - b);
  return { n: sorted.length, p50: at(sorted, 0.5), p99: at(sorted, 0.99), max: sorted.at(-1) ?? Number.NaN };
}

export function middle(values: readonly number[]): number {
  return figuresOf(values).p50;
}

export interface Ratios {
  p50: number;
  p99: number;
}

export function ratiosOf(mine: Figures, reference: Figures): Ratios {
  return { p50: mine.p50 / reference.p50, p99: mine.p99 / reference.p99 };
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

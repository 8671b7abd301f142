import type { AlertsTable } from '../../database/tables/monitor/alerts';
import type { Verdict } from '../checks/verdict';

/** Consecutive checks with the same verdict. Each verdict holds until the next check. */
export interface ChartBand {
  /** Milliseconds after the start of the chart. */
  start: number;
  end: number;
  verdict: Verdict;
}

/** The values of each bucket, as one list per value: the index is the bucket's. */
export interface ChartBuckets {
  open: number[];
  waiting_room: number[];
  unknown: number[];
  /** Response times in milliseconds; null without a check. */
  fastestMs: (number | null)[];
  medianMs: (number | null)[];
  slowestMs: (number | null)[];
}

/** The checks of a span of time, counted by verdict. */
export interface CheckTotals {
  open: number;
  waiting_room: number;
  unknown: number;
  /** Null without a check. */
  medianMs: number | null;
  slowestMs: number | null;
}

export interface ChartAlert {
  id: string;
  openedAt: string;
  /** When it was closed or suspended; null while it is open. */
  endedAt: string | null;
  status: AlertsTable['status'];
  openingCheckId: string;
}

/** The checks of a watch in the last 24 hours, reduced to what a drawing of a screen's width can show. */
export interface DayChart {
  /** The start and the end of the chart (epoch ms): whole buckets, the last one contains `nowMs`. */
  fromMs: number;
  toMs: number;
  nowMs: number;
  bucketMs: number;
  /** A longer time without a check is a gap. */
  gapMs: number;
  bands: ChartBand[];
  /** False when there were too many bands: then each bucket has its most notable verdict. */
  bandsAreExact: boolean;
  buckets: ChartBuckets;
  /** Per hour of the clock with a check, oldest first. `startMs`: epoch ms. */
  hours: (CheckTotals & { startMs: number })[];
  totals: CheckTotals & { slow: number };
  /** Those that were open at any time of the chart, oldest first; the newest only when there are very many. */
  alerts: ChartAlert[];
}

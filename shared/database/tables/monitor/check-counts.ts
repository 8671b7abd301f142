import type { Generated } from 'kysely';

/**
 * How many checks a watch had in an hour or a day, for the public status and the daily limit of Scrappey. Written with
 * each check.
 */
export interface CheckCountsTable {
  watch_id: string;
  span: 'hour' | 'day';
  /** The start of the hour or day in UTC. */
  starts_at: string;
  total: number;
  /** Checks with the verdict open or waiting room. */
  conclusive: number;
  /** Paid fetches, for the daily limit. */
  scrappey_calls: Generated<number>;
}

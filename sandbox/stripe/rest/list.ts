import { idOf } from '../store';
import type { Call } from './rest';
import { invalidRequest } from './stripe-error';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

interface ListParams {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
}

interface Range {
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}

export interface ListPage<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/**
 * One page of a list (docs.stripe.com/api/pagination).
 * @param objects all that match the request's filters, newest first
 * @throws StripeError for a limit outside 1 to 100, or a cursor that the list does not hold
 */
export function listOf<T extends { id: string }>(
  { params, url }: Pick<Call<ListParams>, 'params' | 'url'>,
  objects: readonly T[],
): ListPage<T> {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before } = params;
  if (limit > MAX_LIMIT)
    throw invalidRequest(
      `This value must be less than or equal to ${MAX_LIMIT}.`,
      'parameter_invalid_integer',
      'limit',
    );
  if (limit < 1)
    throw invalidRequest(
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
      'limit',
    );
  const positionOf = (id: string, param: string) => {
    const index = objects.findIndex((object) => object.id === id);
    if (index < 0) throw invalidRequest(`No such object: '${id}'`, 'resource_missing', param);
    return index;
  };
  if (before !== undefined) {
    const end = positionOf(before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: objects.slice(start, end), has_more: start > 0, url };
  }
  const start = after === undefined ? 0 : positionOf(after, 'starting_after') + 1;
  const data = objects.slice(start, start + limit);
  return { object: 'list', data, has_more: start + data.length < objects.length, url };
}

/** Whether a time fits a filter such as `created`: an exact number or a range. */
export function fitsRange(value: number, filter: number | Range | undefined): boolean {
  if (filter === undefined) return true;
  if (typeof filter === 'number') return value === filter;
  return (
    (filter.gt === undefined || value > filter.gt) &&
    (filter.gte === undefined || value >= filter.gte) &&
    (filter.lt === undefined || value < filter.lt) &&
    (filter.lte === undefined || value <= filter.lte)
  );
}

/** Whether an expandable field names the id that a filter asks for; without a filter everything fits. */
export function fitsId(
  value: string | { id: string } | null | undefined,
  wanted: string | undefined,
): boolean {
  return wanted === undefined || idOf(value) === wanted;
}

import type { Kind, Kinds } from '../kinds';
import { idOf } from '../store';
import { route, type Call, type Route } from './rest';
import { invalidRequest } from './stripe-error';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

interface ListParams {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
}

/** A filter of times: an exact one, or bounds. */
export type Range = number | { gt?: number; gte?: number; lt?: number; lte?: number };

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

/** Whether an object fits a filter's value in a request. The value has the parameter's type in Stripe's table. */
type Filter<T> = (object: T, wanted: never) => boolean;

/** Filters by parameter; a dotted name is a nested one. */
type Filters<K extends Kind> = Readonly<Record<string, Filter<Kinds[K]>>>;

/**
 * The route that lists the objects of a kind.
 * @param filters those that the sandbox implements; one that the request leaves out does not apply
 */
export function listRoute<K extends Kind>(kind: K, path: string, filters: Filters<K>): Route {
  return route<ListParams>({
    method: 'GET',
    path,
    implemented: Object.keys(filters),
    run: (call) => listMatching(call, kind, filters),
  });
}

/** One page of the objects of a kind that fit a request. */
export function listMatching<K extends Kind>(
  call: Pick<Call<ListParams>, 'store' | 'params' | 'url'>,
  kind: K,
  filters: Filters<K>,
): ListPage<Kinds[K] & { id: string }> {
  const given = Object.entries(filters).flatMap(([name, fits]) => {
    const wanted = valueAt(call.params, name);
    return wanted === undefined ? [] : [(object: Kinds[K]) => fits(object, wanted as never)];
  });
  const found = call.store.list(kind, (object) => given.every((fits) => fits(object)));
  return listOf(call, found as (Kinds[K] & { id: string })[]);
}

function valueAt(params: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], params);
}

export function isInRange(value: number, range: Range): boolean {
  if (typeof range === 'number') return value === range;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return value > gt && value >= gte && value < lt && value <= lte;
}

/** The filter `created`. */
export const byCreated = ({ created }: { created: number }, range: Range) => isInRange(created, range);

/** The filters by the id in an expandable field. */
export const byId =
  <N extends string>(field: N) =>
  (object: { [name in N]?: string | { id: string } | null }, id: string) =>
    idOf(object[field]) === id;

/** The filters by the value of a field. */
export const byValue =
  <N extends string>(field: N) =>
  (object: { [name in N]?: unknown }, value: unknown) =>
    object[field] === value;

import type { Store } from '../store';
import { invalidRequest } from './stripe-error';

const MAX_LEVELS = 4;

/** A field that a response holds only on `expand`, such as an invoice's `confirmation_secret`. */
export type Includable = (object: never) => unknown;

/** Computes includable fields, by `kind.field`. */
export type Includables = Map<string, Includable>;

/**
 * A copy of a response with the requested fields expanded.
 * @throws StripeError when a path names no expandable field
 */
export function expandResponse(
  store: Store,
  includables: Includables,
  response: object,
  paths: readonly string[],
): object {
  const copy = structuredClone(response);
  for (const path of paths) {
    const segments = path.split('.');
    const levels = segments.filter((segment) => segment !== 'data').length;
    if (levels > MAX_LEVELS)
      throw invalidRequest(
        `You cannot expand more than ${MAX_LEVELS} levels of a property. Property: ${path}`,
        undefined,
        'expand',
      );
    expandPath(store, includables, copy as Record<string, unknown>, segments, path);
  }
  return copy;
}

function expandPath(
  store: Store,
  includables: Includables,
  target: Record<string, unknown>,
  [field, ...rest]: string[],
  path: string,
): void {
  if (field === undefined) return;
  const refuse = () => invalidRequest(`This property cannot be expanded (${path}).`, undefined, 'expand');
  let value = target[field];
  const includable = includables.get(`${String(target.object)}.${field}`);
  if (includable && value === undefined) {
    value = structuredClone(includable(target as never));
    target[field] = value;
  }
  if (value === undefined) throw refuse();
  if (value === null) return;
  if (Array.isArray(value)) {
    value.forEach((entry: unknown, index) => {
      if (typeof entry === 'object' && entry !== null)
        return expandPath(store, includables, entry as Record<string, unknown>, rest, path);
      const found = store.findAny(String(entry));
      if (!found) throw refuse();
      const copy = structuredClone(found) as Record<string, unknown>;
      (value as unknown[])[index] = copy;
      expandPath(store, includables, copy, rest, path);
    });
    return;
  }
  if (typeof value === 'string') {
    const found = store.findAny(value);
    if (!found) throw refuse();
    value = structuredClone(found);
    target[field] = value;
  } else if (typeof value !== 'object') throw refuse();
  expandPath(store, includables, value as Record<string, unknown>, rest, path);
}

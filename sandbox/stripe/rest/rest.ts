import { API_VERSION } from '../keys';
import type { Kind } from '../kinds';
import type { Store } from '../store';
import { checkParameters } from './check-parameters';
import type { DecodedForm } from './decode-form';
import type { KeyKind } from './key-ring';
import { StripeError, invalidRequest } from './stripe-error';

export type Method = 'GET' | 'POST' | 'DELETE';

/** One request as a route's handler gets it. */
export interface Call<P> {
  store: Store;
  /** The id in the path; empty when the route has none. */
  id: string;
  /** The request's parameters in the SDK's types, checked against parameters.json. */
  params: P;
  /** A handler with `publishable` checks the client secret in `params` when the key is publishable. */
  key: KeyKind;
  /** The request's path, for a list's `url`. */
  url: string;
}

/**
 * One route of the API. To add a resource: write `export const WIDGET_ROUTES: Route[] = [route<Stripe.WidgetCreateParams>({…})]`
 * and list it in `stripe.ts`. A handler is synchronous: it reads and changes the store, emits events, throws
 * `StripeError` and returns the stored object, which the REST layer copies and expands, or `listOf(call, objects)`. `retrieveRoute` and `listRoute` make the routes that only read.
 */
export interface Route {
  method: Method;
  /** Such as `/v1/customers/:id`. A path has one variable at most. */
  path: string;
  /** Whether the publishable key may call it. */
  publishable: boolean;
  implemented: readonly string[];
  run(call: Call<never>): object;
}

interface RouteOptions<P> {
  method: Method;
  path: string;
  publishable?: boolean;
  /**
   * The parameters that the handler implements, by dotted path; a name covers what is below it, `*` is an array's
   * index or a map's key. Stripe's other parameters are refused with a sentence of the sandbox, so that none is ignored
   * in silence. `expand`, and `limit`, `starting_after`, `ending_before` of lists, are the REST layer's.
   */
  implemented?: readonly string[];
  run(call: Call<P>): object;
}

/** @param options P is the SDK's type of the parameters */
export function route<P = Record<string, never>>(options: RouteOptions<P>): Route {
  return { publishable: false, implemented: [], ...options } as Route;
}

/** The route that responds with the object of the path's id. */
export function retrieveRoute(kind: Kind, collection: string): Route {
  return route({ method: 'GET', path: `${collection}/:id`, run: ({ store, id }) => store.require(kind, id) });
}

export interface MatchedRoute {
  route: Route;
  id: string;
}

/** Finds the route of a request; a fixed segment wins over a variable one. */
export function createRouter(routes: readonly Route[]) {
  const ordered = [...routes].sort((a, b) => Number(a.path.includes(':id')) - Number(b.path.includes(':id')));
  return (method: string, path: string): MatchedRoute | null => {
    const segments = path.split('/');
    for (const candidate of ordered) {
      const pattern = candidate.path.split('/');
      if (candidate.method !== method || pattern.length !== segments.length) continue;
      const isMatch = pattern.every((part, index) =>
        part === ':id' ? segments[index] !== '' : part === segments[index],
      );
      if (!isMatch) continue;
      const id = segments[pattern.indexOf(':id')];
      return { route: candidate, id: id === undefined ? '' : decodeURIComponent(id) };
    }
    return null;
  };
}

/** @throws StripeError when the version is not the one that the sandbox serves */
export function checkVersion(version: string | undefined): void {
  if (version !== undefined && version !== API_VERSION)
    throw invalidRequest(`sandbox: only Stripe version ${API_VERSION} is served, not ${version}`);
}

/**
 * Checks and converts the parameters.
 * @returns runs the route; throws StripeError as the resource refuses
 * @throws StripeError for the key or the parameters: Stripe has executed nothing then
 */
export function prepareRoute(
  store: Store,
  { route: matched, id }: MatchedRoute,
  request: { url: string; key: KeyKind; form: DecodedForm },
): () => object {
  if (request.key === 'publishable' && !matched.publishable)
    throw new StripeError(403, {
      type: 'invalid_request_error',
      code: 'secret_key_required',
      message:
        'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
    });
  const params = checkParameters(matched, request.form, request.key);
  return () => matched.run({ store, id, params: params as never, key: request.key, url: request.url });
}

import table from '../parameters.json';

/** A type of the table; see build-parameters.mjs, which writes it. */
export type ParameterType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'any'
  | { object: ParameterFields }
  | { array: ParameterType }
  | { map: ParameterType }
  | { enum: string[] }
  | { union: ParameterType[] }
  | { empty: ParameterType };

/** Types by name; a name that ends in `!` is required. */
export type ParameterFields = { [name: string]: ParameterType };

const ROUTES = table as unknown as Record<string, ParameterFields>;
/** Routes with fixed segments come before those with variable ones. */
const PATTERNS = Object.entries(ROUTES)
  .map(([key, fields]) => ({
    pattern: new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('{}', '[^/]+')}$`),
    variables: key.split('{}').length,
    fields,
  }))
  .sort((a, b) => a.variables - b.variables);

/**
 * The parameters of a route, or null when the table has no such route.
 * @param path such as `/v1/customers/:id`
 */
export function findParameters(method: string, path: string): ParameterFields | null {
  return ROUTES[`${method} ${path.replace(/:\w+/g, '{}')}`] ?? null;
}

/** The parameters of the route that a request's path belongs to, or null when the table has no such route. */
export function findParametersOfPath(method: string, path: string): ParameterFields | null {
  return PATTERNS.find(({ pattern }) => pattern.test(`${method} ${path}`))?.fields ?? null;
}

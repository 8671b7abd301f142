import type { Decoded, DecodedForm } from './decode-form';
import {
  findParameters,
  findParametersOfPath,
  type ParameterFields,
  type ParameterType,
} from './parameter-table';
import { invalidRequest, notInSandbox, parameterMissing, type StripeError } from './stripe-error';

/** What is checked of a route; `rest.ts`, which imports this file, has the whole one. */
interface CheckedRoute {
  method: string;
  path: string;
  implemented: readonly string[];
}
type KeyKind = 'secret' | 'publishable';

/** What every route takes from the REST layer itself. */
const OWN_PARAMETERS = ['expand', 'limit', 'starting_after', 'ending_before'];

/** What Stripe.js sends with the publishable key, which the SDK's declarations for servers leave out. */
const CARD_FIELDS: ParameterFields = {
  number: 'string',
  exp_month: 'integer',
  exp_year: 'integer',
  cvc: 'string',
};
const BROWSER_PARAMETERS: ParameterFields = {
  client_secret: 'string',
  payment_method_data: {
    object: {
      'type!': { enum: ['card'] },
      card: { object: CARD_FIELDS },
      billing_details: {
        object: {
          email: { empty: 'string' },
          name: { empty: 'string' },
          phone: { empty: 'string' },
          address: {
            object: {
              city: { empty: 'string' },
              country: { empty: 'string' },
              line1: { empty: 'string' },
              line2: { empty: 'string' },
              postal_code: { empty: 'string' },
              state: { empty: 'string' },
            },
          },
        },
      },
    },
  },
};

/**
 * Checks a request's parameters against Stripe's table and converts the texts to numbers and booleans. An empty text
 * that unsets a value stays `''`.
 * @throws StripeError for an unknown, missing or malformed parameter, and for one that the sandbox does not implement
 */
export function checkParameters(
  route: CheckedRoute,
  form: DecodedForm,
  key: KeyKind,
): Record<string, unknown> {
  const known = findParameters(route.method, route.path);
  if (!known) throw new Error(`parameters.json has no route ${route.method} ${route.path}`);
  const fields = key === 'publishable' ? { ...known, ...BROWSER_PARAMETERS } : known;
  const params = convertFields(fields, form, '');
  refuseUnimplemented(form, [
    ...route.implemented,
    ...OWN_PARAMETERS,
    ...(key === 'publishable' ? ['client_secret'] : []),
  ]);
  return params;
}

/** Why Stripe's description of its API does not allow a request; null when it does. */
export function findViolation(
  method: string,
  path: string,
  form: DecodedForm,
  key: KeyKind | null,
): string | null {
  const known = findParametersOfPath(method, path);
  if (!known) return `the sandbox has no route ${method} ${path}`;
  try {
    convertFields(key === 'publishable' ? { ...known, ...BROWSER_PARAMETERS } : known, form, '');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const nested = (parent: string, name: string) => (parent === '' ? name : `${parent}[${name}]`);

function convertFields(fields: ParameterFields, form: DecodedForm, parent: string): Record<string, unknown> {
  const converted: Record<string, unknown> = {};
  const types = new Map(
    Object.entries(fields).map(([name, type]) => [name.replace(/!$/, ''), type] as const),
  );
  for (const [name, value] of Object.entries(form)) {
    const param = nested(parent, name);
    const type = types.get(name);
    if (type === undefined && name === 'payment_method_types')
      throw invalidRequest(
        'The parameter `payment_method_types` is no longer supported: leave it out, or use `allowed_payment_method_types`.',
        'payment_method_types_no_longer_supported',
        param,
      );
    if (type === undefined)
      throw invalidRequest(`Received unknown parameter: ${param}`, 'parameter_unknown', param);
    converted[name] = convert(type, value, param);
  }
  for (const name of Object.keys(fields))
    if (name.endsWith('!') && !(name.slice(0, -1) in converted))
      throw parameterMissing(nested(parent, name.slice(0, -1)));
  return converted;
}

function convert(type: ParameterType, value: Decoded, param: string): unknown {
  if (typeof type === 'object') return convertStructure(type, value, param);
  if (type === 'any') return value;
  if (typeof value !== 'string')
    throw invalidRequest(`Invalid ${type}: ${JSON.stringify(value)}`, undefined, param);
  if (value === '') throw emptyText(param);
  if (type === 'integer' && !/^-?\d+$/.test(value))
    throw invalidRequest(`Invalid integer: ${value}`, 'parameter_invalid_integer', param);
  if (type === 'number' && !/^-?\d+(\.\d+)?$/.test(value))
    throw invalidRequest(`Invalid decimal: ${value}`, undefined, param);
  if (type === 'boolean' && value !== 'true' && value !== 'false')
    throw invalidRequest(`Invalid boolean: ${value}`, undefined, param);
  if (type === 'boolean') return value === 'true';
  return type === 'string' ? value : Number(value);
}

function convertStructure(type: Exclude<ParameterType, string>, value: Decoded, param: string): unknown {
  if ('empty' in type) return value === '' ? '' : convert(type.empty, value, param);
  if ('union' in type) return convertUnion(type.union, value, param);
  if ('enum' in type) {
    if (typeof value !== 'string')
      throw invalidRequest(`Invalid string: ${JSON.stringify(value)}`, undefined, param);
    if (value === '') throw emptyText(param);
    if (type.enum.includes(value)) return value;
    throw invalidRequest(`Invalid ${param}: must be one of ${type.enum.join(', ')}`, undefined, param);
  }
  // An empty text in place of a map removes all its keys.
  if ('map' in type && value === '') return '';
  if ('array' in type) {
    if (!Array.isArray(value)) throw invalidRequest('Invalid array', undefined, param);
    return value.map((entry, index) => convert(type.array, entry, nested(param, String(index))));
  }
  if (typeof value === 'string' || (Array.isArray(value) && value.length > 0))
    throw invalidRequest('Invalid object', undefined, param);
  if ('object' in type) return convertFields(type.object, value as DecodedForm, param);
  refuseLongMetadata(value as DecodedForm, param);
  // A metadata value may be an empty text: it removes its key.
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      entry === '' ? '' : convert(type.map, entry, nested(param, name)),
    ]),
  );
}

/** The limits of metadata (docs.stripe.com/api/metadata): 50 keys of 40 characters, values of 500. */
function refuseLongMetadata(value: DecodedForm, param: string): void {
  const entries = Object.entries(value);
  if (entries.length > 50)
    throw invalidRequest(
      `Metadata can have up to 50 keys, but you passed in ${entries.length}.`,
      undefined,
      param,
    );
  for (const [name, entry] of entries) {
    if (name.length > 40)
      throw invalidRequest(
        `Metadata keys can have up to 40 characters, but you passed in a key that is ${name.length} characters. Invalid key: ${name}`,
        undefined,
        param,
      );
    if (typeof entry === 'string' && entry.length > 500)
      throw invalidRequest(
        `Metadata values can have up to 500 characters, but you passed in a value that is ${entry.length} characters.`,
        undefined,
        nested(param, name),
      );
  }
}

function convertUnion(types: readonly ParameterType[], value: Decoded, param: string): unknown {
  let refusal: unknown;
  for (const type of types) {
    try {
      return convert(type, value, param);
    } catch (error) {
      refusal ??= error;
    }
  }
  throw refusal;
}

function emptyText(param: string): StripeError {
  return invalidRequest(
    `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
    'parameter_invalid_empty',
    param,
  );
}

function refuseUnimplemented(form: DecodedForm, implemented: readonly string[]): void {
  const patterns = implemented.map((path) => path.split('.'));
  const visit = (value: Decoded, path: string[]): void => {
    if (patterns.some((pattern) => pattern.length <= path.length && fits(pattern, path))) return;
    const isOnTheWay = patterns.some(
      (pattern) => pattern.length > path.length && fits(pattern.slice(0, path.length), path),
    );
    if (!isOnTheWay) throw notInSandbox(`the parameter ${path.join('.')}`, path.join('.'));
    if (typeof value === 'string') return;
    for (const [name, inner] of Object.entries(value)) visit(inner as Decoded, [...path, name]);
  };
  for (const [name, value] of Object.entries(form)) visit(value, [name]);
}

const fits = (pattern: readonly string[], path: readonly string[]) =>
  pattern.every((part, index) => part === '*' || part === path[index]);

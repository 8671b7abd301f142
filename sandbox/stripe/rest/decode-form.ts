import { invalidRequest } from './stripe-error';

/** A decoded parameter: a text, an array or an object of them. */
export type Decoded = string | Decoded[] | { [name: string]: Decoded };
export type DecodedForm = Record<string, Decoded>;

const MAX_DEPTH = 12;

/**
 * Decodes `a[b][0][c]=d` and `a[]=b`. An object whose names are 0, 1, 2 … becomes an array.
 * @throws StripeError when a name occurs as a text and as an object, or is malformed
 */
export function decodeForm(text: string): DecodedForm {
  const form: DecodedForm = Object.create(null) as DecodedForm;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = readName(name);
    let target = form;
    for (const [index, segment] of path.entries()) {
      const key = segment === '' ? String(Object.keys(target).length) : segment;
      if (index === path.length - 1) {
        if (typeof target[key] === 'object') throw invalidRequest(`Invalid object: ${name}`, undefined, name);
        target[key] = value;
      } else {
        const next = (target[key] ??= Object.create(null) as DecodedForm);
        if (typeof next === 'string') throw invalidRequest(`Invalid object: ${name}`, undefined, name);
        target = next as DecodedForm;
      }
    }
  }
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, withArrays(value)]));
}

function readName(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match) throw invalidRequest(`Invalid parameter name: ${name}`);
  const path = [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1]!)];
  if (path.length > MAX_DEPTH) throw invalidRequest(`Parameter is nested too deeply: ${name}`);
  return path;
}

function withArrays(value: Decoded): Decoded {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, inner]): [string, Decoded] => [name, withArrays(inner)]);
  if (entries.length > 0 && entries.every(([name], index) => name === String(index)))
    return entries.map(([, inner]) => inner);
  return Object.fromEntries(entries);
}

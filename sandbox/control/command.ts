import { z } from 'zod';
import type { RequestContext } from '../http/app';

/** One command of the control API. `run` validates the body. */
export interface Command {
  method: string;
  path: string;
  run(value: unknown, context: RequestContext): Result | Promise<Result>;
}

interface Result {
  /** Default: 200. */
  status?: 200 | 201 | 404;
  value: unknown;
}

/** Invalid input. The message is for developers. */
export class InvalidInput extends Error {}

export function getCommand(path: string, valueOf: (context: RequestContext) => unknown): Command {
  return { method: 'GET', path, run: (_value, context) => ({ value: valueOf(context) }) };
}

/** Clears a list and responds with it under its name. */
export function clearCommand(path: string, name: string, clear: () => void): Command {
  return {
    method: 'DELETE',
    path,
    run() {
      clear();
      return { value: { [name]: [] } };
    },
  };
}

export const faultsSchema = <F>(fault: z.ZodType<F>) => z.strictObject({ faults: z.array(fault).max(1_000) });

/** Replaces the pending faults of a service; an empty list removes them. */
export function faultsCommand<F>(
  path: string,
  fault: z.ZodType<F>,
  service: { faults(): F[]; setFaults(next: readonly F[]): void },
): Command {
  const schema = faultsSchema(fault);
  return {
    method: 'PUT',
    path,
    run(value) {
      service.setFaults(checkInput(schema, value).faults);
      return { value: { faults: service.faults() } };
    },
  };
}

/**
 * Checks the value of a request against the command's schema.
 * @throws InvalidInput with every error and its path
 */
export function checkInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path, message }) => [...path.map(String), ''].join(': ') + message,
  );
  throw new InvalidInput(faults.join('; '));
}

/** Input from a test (JSON) or a form of the panel. */
export interface Input {
  method: string;
  value: unknown;
  fromForm: boolean;
}

const FORM = /^application\/x-www-form-urlencoded\b/i;

/**
 * Reads a request below `/control`. A form's fields become the same JSON: each value is parsed as JSON if possible
 * (`true`, `500`, `[…]`), else it is text; empty fields are left out. `_method` overrides POST, the only method of a form
 * that writes.
 * @throws InvalidInput when the body is not JSON
 */
export async function readInput({ req }: RequestContext): Promise<Input> {
  const { method } = req;
  const text = await req.text();
  // curl labels JSON as a form by default. A real form never begins with a brace: it would be percent-encoded.
  if (!FORM.test(req.header('content-type') ?? '') || /^\s*[{[]/.test(text)) {
    return { method, value: text.trim() === '' ? {} : parseJson(text), fromForm: false };
  }
  const { _method, ...fields } = Object.fromEntries(new URLSearchParams(text));
  const filled = Object.entries(fields).filter(([, value]) => value !== '');
  return {
    method: _method ?? method,
    value: Object.fromEntries(filled.map(([name, value]) => [name, jsonOrText(value)])),
    fromForm: true,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput('the body is not JSON');
  }
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

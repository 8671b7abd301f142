import type { z } from 'zod';
import type { Exchange } from '../http/app';

/** An order from a test (JSON) or from a form of the panel. A form's response redirects to the panel. */
export interface Order {
  method: string;
  value: unknown;
  fromForm: boolean;
}

/** An invalid order. The message is for developers. */
export class UnreadableOrder extends Error {}

const FORM = /^application\/x-www-form-urlencoded\b/i;

/**
 * Reads the body of a request below `/control`. A form's fields become the same JSON: each value is parsed as JSON if
 * possible (`true`, `500`, `[…]`), else it is text; empty fields are left out. `_method` overrides POST, the only method
 * of a form that writes.
 * @throws UnreadableOrder when the body is not JSON
 */
export async function readOrder({ req }: Exchange): Promise<Order> {
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

/**
 * Checks an order against its schema.
 * @throws UnreadableOrder with every error and its path
 */
export function checkOrder<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path, message }) => [...path.map(String), ''].join(': ') + message,
  );
  throw new UnreadableOrder(faults.join('; '));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableOrder('the body is no JSON');
  }
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

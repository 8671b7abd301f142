import type { z } from 'zod';
import type { Exchange } from '../http/app';

/** An order from a test (JSON) or from a form of the panel; a form is answered by a way back to the panel. */
export interface Order {
  method: string;
  value: unknown;
  fromForm: boolean;
}

/** An order that cannot be read; its message is meant for a person. */
export class UnreadableOrder extends Error {}

const FORM = /^application\/x-www-form-urlencoded\b/i;

/**
 * Reads the body of a request below `/control`. A form's fields make up the same JSON: each value is JSON where it
 * can be (`true`, `500`, `[…]`), text otherwise, and absent when empty; `_method` stands for the request's method,
 * as forms know only POST.
 * @throws UnreadableOrder when the body is no JSON
 */
export async function readOrder({ req }: Exchange): Promise<Order> {
  const { method } = req;
  const text = await req.text();
  // No form begins with a brace (it would be percent-encoded), but what curl sends by default calls itself a form.
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
 * @throws UnreadableOrder naming every fault and where it is
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

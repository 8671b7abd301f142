import { z } from 'zod';

/** Where a success puts its payload: beside `success`, under `data`, or alone without an envelope. */
export type Envelope = 'fields' | 'data' | 'bare';

/** The schema of a whole answer, out of its payload's. */
export function envelopeSchema(envelope: Envelope, answer: z.ZodType): z.ZodType {
  const success = z.literal(true);
  if (envelope === 'bare') return answer;
  if (envelope === 'data') return z.object({ success, data: answer });
  if (!(answer instanceof z.ZodObject))
    throw new TypeError('an answer of named fields is declared as an object');
  return z.object({ success, ...answer.shape });
}

/** A payload as it is answered. */
export function enveloped(envelope: Envelope, payload: unknown): unknown {
  if (envelope === 'bare') return payload;
  return envelope === 'data' ? { success: true, data: payload } : { success: true, ...(payload as object) };
}

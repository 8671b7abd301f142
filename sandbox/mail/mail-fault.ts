import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { createFaultQueue, faultLife } from '../fault-queue';

/**
 * A fault of the mail server: it refuses with an SMTP status, 4xx for a temporary and 5xx for a permanent failure, or
 * answers late, or closes the connection without an answer, or several of these. `at`: the phase, by default `message`,
 * after the final dot. There, with a late answer or a connection closed without a status, the mail is kept, which its
 * sender cannot know. `text`: the words of the reply, whose line breaks make several lines. `to`: only recipients that
 * match, with `*` for any text. `share`: it applies only to the recipients whose hash is in this part of 0 to 1, always
 * the same ones: `[0, 0.1]` is one recipient in ten. `attempts`: it applies only to the first attempts of each recipient,
 * as greylisting does (RFC 6647). Before a recipient is named, `to`, `share` and `attempts` see an empty one.
 */
export const mailFaultSchema = z
  .strictObject({
    code: z.int().min(400).max(599).optional(),
    text: z.string().max(1_000).optional(),
    delayMs: z.int().min(1).max(3_600_000).optional(),
    drop: z.boolean().optional(),
    at: z.enum(['connection', 'sender', 'recipient', 'message']).optional(),
    to: z.string().min(1).max(200).optional(),
    share: z.tuple([z.number().min(0).max(1), z.number().min(0).max(1)]).optional(),
    attempts: z.int().min(1).max(100).optional(),
    ...faultLife,
  })
  .refine(
    ({ code, delayMs, drop }) => code !== undefined || delayMs !== undefined || drop === true,
    'needs a code, delayMs or drop',
  );
export type MailFault = z.infer<typeof mailFaultSchema>;

/** The server's response instead of acceptance. */
type Refusal = { drop: true } | { drop: false; error: Error };

/** Whether an address matches a pattern in which `*` stands for any text. Takes linear time in each part. */
function matches(address: string, pattern: string): boolean {
  const text = address.toLowerCase();
  const parts = pattern.toLowerCase().split('*');
  const last = parts.pop() ?? '';
  const [first, ...middle] = parts;
  if (first === undefined) return text === last;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of middle) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** The place of a recipient in 0 to 1, for `share`. */
function placeOf(address: string): number {
  return createHash('sha256').update(address.toLowerCase()).digest().readUInt32BE(0) / 2 ** 32;
}

/** The faults of the mail server, and how often each has applied to a recipient. */
export function createMailFaults() {
  const queue = createFaultQueue<MailFault>();
  let waiting = 0;
  let applied = new WeakMap<MailFault, Map<string, number>>();
  const timesOf = (fault: MailFault, address: string) => applied.get(fault)?.get(address) ?? 0;

  function fits(fault: MailFault, address: string): boolean {
    const { share: [from, to] = [0, 1], attempts = Infinity } = fault;
    if (fault.to !== undefined && !matches(address, fault.to)) return false;
    const place = placeOf(address);
    return place >= from && (place < to || to === 1) && timesOf(fault, address) < attempts;
  }

  return {
    list: () => queue.list(),
    /** How many answers are being delayed. */
    waiting: () => waiting,
    set(next: readonly MailFault[]): void {
      applied = new WeakMap();
      queue.set(next);
    },
    /** Applies the next fault that fits, after its delay. Returns its refusal; null for none. */
    async apply(at: NonNullable<MailFault['at']>, address: string): Promise<Refusal | null> {
      const fault = queue.take((candidate) => (candidate.at ?? 'message') === at && fits(candidate, address));
      if (fault === undefined) return null;
      if (fault.attempts !== undefined) {
        const times = applied.get(fault) ?? new Map<string, number>();
        applied.set(fault, times.set(address, timesOf(fault, address) + 1));
      }
      if (fault.delayMs !== undefined) {
        waiting += 1;
        await wait(fault.delayMs, undefined, { ref: false });
        waiting -= 1;
      }
      if (fault.drop === true) return { drop: true };
      if (fault.code === undefined) return null;
      const text = fault.text ?? (fault.code < 500 ? 'Try again later' : 'Not accepted');
      // smtp-server writes an array as a reply of several lines.
      const message = text.includes('\n') ? text.split('\n') : text;
      return { drop: false, error: Object.assign(new Error(text), { message, responseCode: fault.code }) };
    },
  };
}

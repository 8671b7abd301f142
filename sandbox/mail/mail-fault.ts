import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { createFaultQueue, faultLife } from '../fault-queue';

/**
 * A fault of the mail server: it rejects a recipient or (by default) the message with an SMTP status, 4xx for a temporary
 * and 5xx for a permanent failure, or answers late, or both. `share`: it applies only to the recipients whose hash is in
 * this part of 0 to 1, always the same ones: `[0, 0.1]` is one recipient in ten. `attempts`: it applies only to the first
 * attempts of each recipient, as greylisting does (RFC 6647).
 */
export const mailFaultSchema = z
  .strictObject({
    code: z.int().min(400).max(599).optional(),
    text: z.string().max(200).optional(),
    delayMs: z.int().min(1).max(600_000).optional(),
    at: z.enum(['recipient', 'message']).optional(),
    share: z.tuple([z.number().min(0).max(1), z.number().min(0).max(1)]).optional(),
    attempts: z.int().min(1).max(100).optional(),
    ...faultLife,
  })
  .refine(({ code, delayMs }) => code !== undefined || delayMs !== undefined, 'needs a code or delayMs');
export type MailFault = z.infer<typeof mailFaultSchema>;

/** The place of a recipient in 0 to 1, for `share`. */
function placeOf(address: string): number {
  return createHash('sha256').update(address.toLowerCase()).digest().readUInt32BE(0) / 2 ** 32;
}

/** The faults of the mail server, and how often each has applied to a recipient. */
export function createMailFaults() {
  const queue = createFaultQueue<MailFault>();
  let applied = new WeakMap<MailFault, Map<string, number>>();
  const timesOf = (fault: MailFault, address: string) => applied.get(fault)?.get(address) ?? 0;

  function fits(fault: MailFault, address: string): boolean {
    const { share: [from, to] = [0, 1], attempts = Infinity } = fault;
    const place = placeOf(address);
    return place >= from && (place < to || to === 1) && timesOf(fault, address) < attempts;
  }

  return {
    list: () => queue.list(),
    set(next: readonly MailFault[]): void {
      applied = new WeakMap();
      queue.set(next);
    },
    /** Applies the next fault that fits, after its delay. Returns the error of its code; null for none. */
    async apply(at: NonNullable<MailFault['at']>, address: string): Promise<Error | null> {
      const fault = queue.take((candidate) => (candidate.at ?? 'message') === at && fits(candidate, address));
      if (fault === undefined) return null;
      if (fault.attempts !== undefined) {
        const times = applied.get(fault) ?? new Map<string, number>();
        applied.set(fault, times.set(address, timesOf(fault, address) + 1));
      }
      if (fault.delayMs !== undefined) await wait(fault.delayMs, undefined, { ref: false });
      if (fault.code === undefined) return null;
      const text = fault.text ?? (fault.code < 500 ? 'Try again later' : 'Not accepted');
      return Object.assign(new Error(text), { responseCode: fault.code });
    },
  };
}

import { z } from 'zod';

/**
 * Every queue, its jobs and what they carry: ids only, since Redis holds them in clear text.
 * A new field is optional for one release, because old jobs may still wait.
 */
export const JOBS = {
  monitor: {
    /** `requestedAt` (epoch ms): when the caller requested it. */
    check: z.object({
      /** Missing in jobs of the release before there were several watches: the default watch. */
      watchId: z.string().optional(),
      trigger: z.enum(['schedule', 'manual', 'confirm']),
      requestedAt: z.number().optional(),
    }),
  },
  alerts: {
    deliver: z.object({ deliveryId: z.string(), attempt: z.number().int().positive() }),
  },
  mail: {
    send: z.object({ mailId: z.string(), attempt: z.number().int().positive() }),
  },
  housekeeping: {
    retention: z.object({}),
    uploads: z.object({}),
  },
} as const;

export type QueueName = keyof typeof JOBS;
export type JobName<Q extends QueueName> = keyof (typeof JOBS)[Q] & string;
export type JobPayload<Q extends QueueName, J extends JobName<Q>> =
  (typeof JOBS)[Q][J] extends z.ZodType<infer Payload> ? Payload : never;

/** All of our keys in Redis begin with this. */
export const QUEUE_PREFIX = 'packwatch';

/** A row of an outbox that waits: what a job of the `alerts` or `mail` queue is made from. */
export interface DueDelivery {
  id: string;
  /** Grows with each claim; row and attempt together name the job. */
  attempt: number;
  /** Epoch ms. */
  dueAt: number;
}

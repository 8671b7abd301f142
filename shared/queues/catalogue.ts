import { z } from 'zod';
import { MEMBER_CHANNELS } from '../member-channels';

/** An attempt to send a row of an outbox. Jobs of earlier releases name the row otherwise; the handlers send all that is due. */
const outboxRow = z.object({ id: z.string().optional(), attempt: z.number().int().positive() });

/** Every queue with its jobs and payloads: ids only, as Redis is clear text. New fields are optional for one release. */
export const JOBS = {
  monitor: {
    /** `requestedAt` (epoch ms): when the caller requested it. */
    check: z.object({
      /** Missing in jobs of releases with a single watch: the default watch. */
      watchId: z.string().optional(),
      trigger: z.enum(['schedule', 'manual', 'confirm']),
      requestedAt: z.number().optional(),
    }),
    /** Judges the stored page of a check with today's rules; stores nothing. */
    judge: z.object({ checkId: z.string() }),
    /** Looks at the page of a row of `page_previews`. */
    preview: z.object({ previewId: z.string() }),
  },
  alerts: { deliver: outboxRow },
  mail: { send: outboxRow },
  members: {
    /** Lists the members of an alert. */
    fanOut: z.object({ alertId: z.string() }),
    /** Sends what is due over one channel, in batches. */
    send: z.object({ channel: z.enum(MEMBER_CHANNELS) }),
  },
  payments: { apply: outboxRow },
  exports: { make: outboxRow },
  /** Gives or takes a role on Discord. */
  roles: { set: outboxRow },
  housekeeping: {
    retention: z.object({}),
    uploads: z.object({}),
    /** Deletes the accounts whose deletion is due. */
    deletions: z.object({}),
    /** Makes the share images that are missing. */
    shareImages: z.object({}),
    /** Learns which sources of a shop's pages are wrong too often. */
    sourceTrust: z.object({}),
    /** Reads pending payments and subscriptions afresh from Stripe. */
    reconcile: z.object({}),
    /** Reads active subscriptions, and payments that were refunded or disputed, afresh from Stripe. */
    reconcileAll: z.object({}),
    /** Compares the roles on Discord with what members should have. */
    compareRoles: z.object({}),
  },
} as const;

export type QueueName = keyof typeof JOBS;
export type JobName<Q extends QueueName> = keyof (typeof JOBS)[Q] & string;
export type JobPayload<Q extends QueueName, J extends JobName<Q>> =
  (typeof JOBS)[Q][J] extends z.ZodType<infer Payload> ? Payload : never;

/** The prefix of all our keys in Redis. */
export const QUEUE_PREFIX = 'packwatch';

/** An outbox row that waits to be sent. */
export interface DueDelivery {
  id: string;
  /** Grows with each claim; row and attempt together name the job. */
  attempt: number;
  /** Epoch ms. */
  dueAt: number;
}

import { z } from 'zod';
import { createFaultQueue, faultLife, type FaultQueue } from '../fault-queue';
import type { Limit } from './replies';

export const AUDIENCES = ['instant', 'free', 'admin'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** The public data of a webhook. */
export interface Webhook {
  id: string;
  token: string;
  /** The channel's name: one of {@link AUDIENCES}, or a name chosen by a test. */
  audience: string;
  name: string;
  channelId: string;
  url: string;
}

const thread = z.strictObject({
  id: z.string().regex(/^\d{1,20}$/),
  name: z.string().min(1).max(100).optional(),
  /** `locked`: by a moderator. A post opens an archived thread again, an edit does not. */
  state: z.enum(['open', 'archived', 'locked']).optional(),
});

/** The channel of a webhook. A forum accepts messages only in threads, and with `tagRequired` only with a tag. */
export const channelSchema = z.strictObject({
  type: z.enum(['text', 'forum']).optional(),
  tagRequired: z.boolean().optional(),
  threads: z.array(thread).max(1_000).optional(),
});
export type ChannelSetting = z.infer<typeof channelSchema>;

export interface Thread {
  id: string;
  name: string;
  state: 'open' | 'archived' | 'locked';
}

/** A webhook with its channel, its faults and its rate limit. */
export interface Hook {
  webhook: Webhook;
  isForum: boolean;
  tagRequired: boolean;
  /** By id. */
  threads: Map<string, Thread>;
  faults: FaultQueue<WebhookFault>;
  limit: Limit | null;
}

/** The ids and tokens of these webhooks never change, so that saved URLs survive a restart of the sandbox. */
export const FIRST_WEBHOOKS = AUDIENCES.map((audience, index) => ({
  audience,
  id: `140000000000000010${index + 1}`,
  token: `sandbox-${audience}-webhook-`.padEnd(68, 'not-a-secret-'),
}));

/** The guild of the webhooks' channels. */
export const GUILD_ID = '1400000000000000000';

export function createHook(origin: string, id: string, token: string, audience: string): Hook {
  return {
    webhook: {
      id,
      token,
      audience,
      name: `Packwatch ${audience}`,
      channelId: (BigInt(id) + 1_000n).toString(),
      url: `${origin}/api/webhooks/${id}/${token}`,
    },
    isForum: false,
    tagRequired: false,
    threads: new Map(),
    faults: createFaultQueue<WebhookFault>(),
    limit: null,
  };
}

/** The webhook object of Discord's API (Discord docs, "Webhook Resource › Webhook Object"). */
export function toWebhookObject(webhook: Webhook): Record<string, unknown> {
  return {
    application_id: null,
    avatar: null,
    channel_id: webhook.channelId,
    guild_id: GUILD_ID,
    id: webhook.id,
    name: webhook.name,
    type: 1,
    token: webhook.token,
    url: webhook.url,
  };
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const life = {
  ...faultLife,
  /** Methods that the fault applies to. Default: those that write, so that existence checks do not use up faults. */
  on: z.array(z.enum(METHODS)).min(1).optional(),
};

/**
 * A fault of a webhook. Durations are in milliseconds, except `retryAfter`, which is in seconds as in Discord's response.
 * `delay` stores the message at once and responds late; `hang` never responds and `reset` closes the connection: both
 * store the message only if `accept` is set. `ban`: the edge in front of Discord blocks the caller's address: status 429
 * without a time to wait, as its HTML page, or as the JSON of `as: 'json'`; `retryAfter`: 0 in the header.
 */
export const webhookFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    retryAfter: z.number().positive().max(3_600).optional(),
    global: z.boolean().optional(),
    scope: z.enum(['user', 'global', 'shared']).optional(),
    ...life,
  }),
  z.strictObject({
    kind: z.literal('ban'),
    as: z.enum(['html', 'json']).optional(),
    retryAfter: z.literal(0).optional(),
    ...life,
  }),
  z.strictObject({ kind: z.literal('delay'), ms: z.number().min(0).max(600_000), ...life }),
  z.strictObject({ kind: z.literal('hang'), accept: z.boolean().optional(), ...life }),
  z.strictObject({ kind: z.literal('reset'), accept: z.boolean().optional(), ...life }),
]);

export type WebhookFault = z.infer<typeof webhookFaultSchema>;
type Method = (typeof METHODS)[number];

export function appliesTo(fault: WebhookFault, method: string): boolean {
  const methods: readonly string[] = fault.on ?? (['POST', 'PATCH', 'DELETE'] satisfies Method[]);
  return methods.includes(method);
}

import { createFaultQueue, type FaultQueue } from '../fault-queue';
import type { Limit } from './rate-limit';
import type { WebhookFault } from './webhook-fault';

export const AUDIENCES = ['instant', 'free', 'admin'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** A webhook as callers may know it. */
export interface Webhook {
  id: string;
  token: string;
  /** The channel's name: one of {@link AUDIENCES}, or what the webhook was made for. */
  audience: string;
  name: string;
  channelId: string;
  url: string;
}

/** A webhook with its faults and its rate limit. */
export interface Hook {
  webhook: Webhook;
  faults: FaultQueue<WebhookFault>;
  limit: Limit | null;
}

/** The first three webhooks keep id and token for ever, so that saved URLs survive a restart of the sandbox. */
export const FIRST_WEBHOOKS = AUDIENCES.map((audience, index) => ({
  audience,
  id: `140000000000000010${index + 1}`,
  token: `sandbox-${audience}-webhook-`.padEnd(68, 'not-a-secret-'),
}));

const GUILD_ID = '1400000000000000000';

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
    faults: createFaultQueue<WebhookFault>(),
    limit: null,
  };
}

/** Discord docs, "Webhook Resource › Webhook Object". */
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

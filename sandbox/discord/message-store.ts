import type { AllowedMentions, EditForm, Embed, PostForm } from './message-form';
import { createSnowflakes } from './snowflake';

/** The text and embeds of a message at one moment. */
export interface MessageText {
  content: string;
  embeds: Embed[];
}

export interface Edit extends MessageText {
  /** Epoch milliseconds with a fraction. */
  receivedAt: number;
}

export interface Pings {
  everyone: boolean;
  roles: string[];
  users: string[];
}

/** An accepted message: its current text, its original text and every edit. Times: epoch milliseconds. */
export interface KeptMessage extends MessageText {
  id: string;
  webhookId: string;
  audience: string;
  channelId: string;
  receivedAt: number;
  username: string;
  avatarUrl: string | null;
  allowedMentions: AllowedMentions | null;
  pings: Pings;
  flags: number;
  original: MessageText;
  edits: Edit[];
  deletedAt: number | null;
}

export interface Sender {
  id: string;
  audience: string;
  channelId: string;
  name: string;
}

const MAX_MESSAGES = 10_000;

/** Stores accepted messages in order of arrival. Drops the oldest above a limit. */
export function createMessageStore() {
  const messages = new Map<string, KeptMessage>();
  const nextId = createSnowflakes();

  return {
    add(sender: Sender, form: PostForm, receivedAt: number, channelId = sender.channelId): KeptMessage {
      const text: MessageText = { content: form.content ?? '', embeds: form.embeds ?? [] };
      const message: KeptMessage = {
        ...text,
        id: nextId(receivedAt),
        webhookId: sender.id,
        audience: sender.audience,
        channelId,
        receivedAt,
        username: form.username ?? sender.name,
        avatarUrl: form.avatar_url ?? null,
        allowedMentions: form.allowed_mentions ?? null,
        pings: findPings(text.content, form.allowed_mentions ?? null),
        flags: form.flags ?? 0,
        original: text,
        edits: [],
        deletedAt: null,
      };
      messages.set(message.id, message);
      const oldest = messages.size > MAX_MESSAGES ? messages.keys().next().value : undefined;
      if (oldest !== undefined) messages.delete(oldest);
      return message;
    },

    edit(message: KeptMessage, form: EditForm, receivedAt: number): void {
      if (form.content !== undefined) message.content = form.content ?? '';
      if (form.embeds !== undefined) message.embeds = form.embeds ?? [];
      if (form.flags !== undefined) message.flags = form.flags ?? 0;
      message.edits.push({ receivedAt, content: message.content, embeds: message.embeds });
    },

    /** A message that this webhook posted and that is not deleted. */
    find(webhookId: string, messageId: string): KeptMessage | undefined {
      const message = messages.get(messageId);
      return message?.webhookId === webhookId && message.deletedAt === null ? message : undefined;
    },

    /** Every message in order of arrival, deleted ones included. */
    list: (): KeptMessage[] => [...messages.values()],

    clear(): void {
      messages.clear();
    },
  };
}

/**
 * Whom a message pings: mentions in the content only, as far as `allowed_mentions` permits. Without `allowed_mentions`, a
 * webhook can ping users only (Discord docs, "Message Resource › Allowed Mentions Object").
 */
function findPings(content: string, allowed: AllowedMentions | null): Pings {
  const parse = allowed ? (allowed.parse ?? []) : ['users'];
  const marked = (pattern: RegExp) => [
    ...new Set([...content.matchAll(pattern)].map((match) => match[1] ?? '')),
  ];
  const permitted = (kind: 'roles' | 'users', ids: string[]) =>
    parse.includes(kind) ? ids : ids.filter((id) => allowed?.[kind]?.includes(id));
  return {
    everyone: parse.includes('everyone') && /@(everyone|here)/.test(content),
    roles: permitted('roles', marked(/<@&(\d+)>/g)),
    users: permitted('users', marked(/<@!?(\d+)>/g)),
  };
}

/** The message object of Discord's API (Discord docs, "Message Resource › Message Object"). */
export function toMessageObject(message: KeptMessage): Record<string, unknown> {
  const lastEdit = message.edits.at(-1);
  return {
    type: 0,
    id: message.id,
    channel_id: message.channelId,
    webhook_id: message.webhookId,
    author: {
      id: message.webhookId,
      username: message.username,
      avatar: null,
      discriminator: '0000',
      public_flags: 0,
      flags: 0,
      bot: true,
      global_name: null,
    },
    content: message.content,
    embeds: message.embeds.map((embed) => ({ type: 'rich', ...withoutNulls(embed) })),
    mentions: [],
    mention_roles: message.pings.roles,
    mention_everyone: message.pings.everyone,
    attachments: [],
    components: [],
    timestamp: discordTime(message.receivedAt),
    edited_timestamp: lastEdit ? discordTime(lastEdit.receivedAt) : null,
    flags: message.flags,
    pinned: false,
    tts: false,
  };
}

/** Discord writes times in microseconds with an offset. */
function discordTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000+00:00');
}

function withoutNulls(embed: Embed): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(embed).filter(([, value]) => value !== null && value !== undefined),
  );
}

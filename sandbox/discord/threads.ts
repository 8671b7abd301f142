import type { Reply } from './replies';
import { UNKNOWN_CHANNEL } from './replies';
import type { ChannelSetting, Hook } from './webhook';

/**
 * Discord's errors for messages in threads (Discord docs, "Opcodes and status codes", JSON). Discord opens an archived
 * thread for a post (Discord docs, "Webhook resource", Execute Webhook, thread_id).
 */
const refuse = (message: string, code: number): { refusal: Reply } => ({
  refusal: { status: 400, body: { message, code } },
});

/** Replaces the type and the threads of a webhook's channel. */
export function setChannel(
  hook: Hook,
  { type = 'text', tagRequired = false, threads = [] }: ChannelSetting,
): void {
  hook.isForum = type === 'forum';
  hook.tagRequired = tagRequired;
  hook.threads = new Map(
    threads.map(({ id, name = `thread ${id}`, state = 'open' }) => [id, { id, name, state }]),
  );
}

/**
 * The id of the channel or thread that a message is posted to, or Discord's refusal. `threadName` makes a thread with the
 * id `newId`.
 */
export function placeMessage(
  hook: Hook,
  { threadId, threadName, newId }: { threadId: string | null; threadName: string | null; newId: string },
): { channelId: string } | { refusal: Reply } {
  if (threadId !== null) {
    if (threadName !== null)
      return refuse(
        'Webhooks posted to forum channels cannot have both a thread_name and thread_id',
        220_002,
      );
    const thread = hook.threads.get(threadId);
    if (thread === undefined) return { refusal: UNKNOWN_CHANNEL };
    if (thread.state === 'locked') return refuse('Thread is locked', 160_005);
    thread.state = 'open';
    return { channelId: threadId };
  }
  if (!hook.isForum)
    return threadName === null
      ? { channelId: hook.webhook.channelId }
      : refuse('Webhooks can only create threads in forum channels', 220_003);
  if (threadName === null)
    return refuse('Webhooks posted to forum channels must have a thread_name or thread_id', 220_001);
  if (hook.tagRequired) return refuse('A tag is required to create a forum post in this channel', 40_067);
  hook.threads.set(newId, { id: newId, name: threadName, state: 'open' });
  return { channelId: newId };
}

/** Why a message of the channel or thread `channelId` cannot be edited or read with this `threadId`; null if it can. */
export function refuseMessage(
  hook: Hook,
  { threadId, channelId, isRead }: { threadId: string | null; channelId: string; isRead: boolean },
): Reply | 'unknown message' | null {
  if (threadId === null) return channelId === hook.webhook.channelId ? null : 'unknown message';
  const thread = hook.threads.get(threadId);
  if (thread === undefined) return UNKNOWN_CHANNEL;
  if (channelId !== threadId) return 'unknown message';
  if (isRead || thread.state === 'open') return null;
  return thread.state === 'archived'
    ? refuse('Thread is archived', 50_083).refusal
    : refuse('Thread is locked', 160_005).refusal;
}

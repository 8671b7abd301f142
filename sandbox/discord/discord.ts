import { randomBytes } from 'node:crypto';
import { CALLER_GONE, createApp, dropConnection, hang, pause, type RequestContext } from '../http/app';
import { createRecentList, epochNow, type Changes, type Service } from '../service';
import { readEdit, readPost } from './message-form';
import { createMessageStore, toMessageObject, type KeptMessage } from './message-store';
import {
  banReply,
  faultReply,
  isInForce,
  rejectUnread,
  tooManyRequests,
  toResponse,
  UNKNOWN_MESSAGE,
  UNKNOWN_WEBHOOK,
  WRONG_TOKEN,
  type Limit,
  type Reply,
} from './replies';
import { createSnowflakes } from './snowflake';
import { placeMessage, refuseMessage, setChannel } from './threads';
import {
  appliesTo,
  createHook,
  FIRST_WEBHOOKS,
  toWebhookObject,
  type ChannelSetting,
  type Hook,
  type Thread,
  type Webhook,
  type WebhookFault,
} from './webhook';

/** One request to a webhook, rejected ones included. Times are epoch milliseconds with a fraction. */
export interface WebhookRequest {
  receivedAt: number;
  answeredAt: number | null;
  method: string;
  path: string;
  webhookId: string;
  audience: string | null;
  userAgent: string | null;
  /** null while there is no response, and for ever if none is sent. */
  status: number | null;
  /** `dropped`: a fault or the caller closed the connection. */
  outcome: 'pending' | 'answered' | 'hung' | 'dropped';
  body: unknown;
}

/** Handles a request for an existing webhook as Discord does, without faults. */
type Act = (hook: Hook, context: RequestContext, body: string) => Reply;

const MAX_REQUESTS = 10_000;

/**
 * Discord's webhook API: stores what it accepts, rejects what Discord rejects, and shows the faults that a test sets.
 * @param origin a function, because the port is known only once the server listens
 */
export function createDiscord(changes: Changes, origin: () => string) {
  const hooks = new Map<string, Hook>();
  const store = createMessageStore();
  const requests = createRecentList<WebhookRequest>(MAX_REQUESTS);
  const nextId = createSnowflakes();
  let globalLimit: Limit | null = null;

  function open(id: string, token: string, audience: string): Webhook {
    const hook = createHook(origin(), id, token, audience);
    hooks.set(id, hook);
    changes.mark();
    return hook.webhook;
  }

  function reset(): void {
    hooks.clear();
    for (const { id, token, audience } of FIRST_WEBHOOKS) open(id, token, audience);
    store.clear();
    requests.clear();
    globalLimit = null;
  }

  function findHook(idOrAudience: string): Hook | undefined {
    const byId = hooks.get(idOrAudience);
    return byId ?? [...hooks.values()].find(({ webhook }) => webhook.audience === idOrAudience);
  }

  function requireHook(idOrAudience: string): Hook {
    const hook = findHook(idOrAudience);
    if (!hook) throw new Error(`no webhook has the id or audience ${idOrAudience}`);
    return hook;
  }

  function tooMany(hook: Hook, limit: Limit, now = epochNow()): Reply {
    return { status: 429, ...tooManyRequests(limit, hook.webhook.id, now) };
  }

  function statusReply(hook: Hook, fault: Extract<WebhookFault, { kind: 'status' }>): Reply {
    if (fault.status !== 429) return faultReply(fault.status);
    const global = fault.global ?? false;
    const now = epochNow();
    const limit: Limit = {
      until: now + (fault.retryAfter ?? 1) * 1_000,
      global,
      scope: fault.scope ?? (global ? 'global' : 'user'),
    };
    if (global) globalLimit = limit;
    else hook.limit = limit;
    return tooMany(hook, limit, now);
  }

  async function handle(act: Act, context: RequestContext): Promise<Response> {
    const { req } = context;
    const { arrivedAt, url } = context.var;
    const webhookId = req.param('id') ?? '';
    const hook = hooks.get(webhookId);
    const record: WebhookRequest = {
      receivedAt: arrivedAt,
      answeredAt: null,
      method: req.method,
      path: url.pathname + url.search,
      webhookId,
      audience: hook?.webhook.audience ?? null,
      userAgent: req.header('user-agent') ?? null,
      status: null,
      outcome: 'pending',
      body: null,
    };
    requests.add(record);
    changes.mark();

    const end = (outcome: WebhookRequest['outcome'], status: number | null = null) => {
      Object.assign(record, { outcome, status, answeredAt: status === null ? null : epochNow() });
      changes.mark();
    };
    const send = (reply: Reply) => {
      end('answered', reply.status);
      return toResponse(reply);
    };

    const body = await req.text();
    record.body = parsedOrText(body);
    if (!hook) return send(UNKNOWN_WEBHOOK);
    if (hook.webhook.token !== req.param('token')) return send(WRONG_TOKEN);

    const limit = [globalLimit, hook.limit].find((candidate) => isInForce(candidate, arrivedAt));
    if (limit) return send(tooMany(hook, limit));

    const fault = hook.faults.take((candidate) => appliesTo(candidate, record.method));
    if (fault?.kind === 'status') return send(statusReply(hook, fault));
    if (fault?.kind === 'ban') return send(banReply(fault));
    if (fault?.kind === 'hang' || fault?.kind === 'reset') {
      if (fault.accept) act(hook, context, body);
      end(fault.kind === 'hang' ? 'hung' : 'dropped');
      return fault.kind === 'reset' ? dropConnection(context) : hang();
    }
    const reply = act(hook, context, body);
    if (fault && !(await pause(context, fault.ms))) {
      end('dropped');
      return CALLER_GONE;
    }
    return send(reply);
  }

  const app = createApp();
  under('GET', '', ({ webhook }) => ({ status: 200, body: toWebhookObject(webhook) }));
  under('POST', '', (hook, context, body) => {
    const refusal = rejectUnread(context);
    if (refusal) return refusal;
    const read = readPost(body);
    if ('refusal' in read) return { status: 400, body: read.refusal };
    const place = placeMessage(hook, {
      threadId: context.var.url.searchParams.get('thread_id'),
      threadName: read.form.thread_name ?? null,
      newId: nextId(epochNow()),
    });
    if ('refusal' in place) return place.refusal;
    const message = store.add(hook.webhook, read.form, context.var.arrivedAt, place.channelId);
    return context.var.url.searchParams.get('wait') === 'true'
      ? { status: 200, body: toMessageObject(message) }
      : { status: 204 };
  });
  underMessage('GET', (message) => ({ status: 200, body: toMessageObject(message) }));
  underMessage('PATCH', (message, context, body) => {
    const refusal = rejectUnread(context);
    if (refusal) return refusal;
    const read = readEdit(body, message);
    if ('refusal' in read) return { status: 400, body: read.refusal };
    store.edit(message, read.form, context.var.arrivedAt);
    return { status: 200, body: toMessageObject(message) };
  });
  underMessage('DELETE', (message, context) => {
    message.deletedAt = context.var.arrivedAt;
    return { status: 204 };
  });

  function under(method: string, path: string, act: Act): void {
    for (const base of ['/api/webhooks/:id/:token', '/api/v10/webhooks/:id/:token'])
      app.on(method, base + path, (context) => handle(act, context));
  }

  function underMessage(
    method: string,
    act: (message: KeptMessage, context: RequestContext, body: string) => Reply,
  ): void {
    under(method, '/messages/:messageId', (hook, context, body) => {
      const message = store.find(hook.webhook.id, context.req.param('messageId') ?? '');
      const refusal = refuseMessage(hook, {
        threadId: context.var.url.searchParams.get('thread_id'),
        channelId: message?.channelId ?? '',
        isRead: method === 'GET',
      });
      if (refusal !== null) return refusal === 'unknown message' ? UNKNOWN_MESSAGE : refusal;
      return message ? act(message, context, body) : UNKNOWN_MESSAGE;
    });
  }

  const inAudience = (audience?: string) => (entry: { audience: string | null; webhookId: string }) =>
    audience === undefined || entry.audience === audience || entry.webhookId === audience;

  const webhooks = () =>
    [...hooks.values()].map(({ webhook, faults }) => ({ ...webhook, faults: faults.list() }));

  const service: Service = {
    name: 'discord',
    app,
    state: () => ({ messages: store.list().length, webhooks: webhooks() }),
    reset,
  };

  return {
    service,
    /** Every webhook with its pending faults. */
    webhooks,
    /** Creates a webhook with its own channel, named by `audience` (default: the webhook's id). */
    addWebhook(audience?: string): Webhook {
      const id = nextId(epochNow());
      return open(id, randomBytes(51).toString('base64url'), audience ?? id);
    },
    findWebhook: (idOrAudience: string): Webhook | undefined => findHook(idOrAudience)?.webhook,
    /** Throws when there is no such webhook. */
    requireWebhook: (idOrAudience: string): Webhook => requireHook(idOrAudience).webhook,
    /** Replaces a webhook's faults and clears its rate limit. Throws when there is no such webhook. */
    setFaults(idOrAudience: string, faults: readonly WebhookFault[]): void {
      const hook = requireHook(idOrAudience);
      hook.faults.set(faults);
      hook.limit = null;
      globalLimit = null;
      changes.mark();
    },
    /** Replaces the type and the threads of a webhook's channel. Throws when there is no such webhook. */
    setChannel(idOrAudience: string, setting: ChannelSetting): void {
      setChannel(requireHook(idOrAudience), setting);
      changes.mark();
    },
    /** The threads of a webhook's channel, those that messages made included. */
    threads: (idOrAudience: string): Thread[] => [...requireHook(idOrAudience).threads.values()],
    /** Messages in order of arrival, deleted ones included; optionally of one audience or webhook id. */
    messages: (audience?: string): KeptMessage[] => store.list().filter(inAudience(audience)),
    requests: (audience?: string): WebhookRequest[] => requests.list().filter(inAudience(audience)),
    /** Deletes messages and requests; webhooks and their faults stay. */
    clearMessages(): void {
      store.clear();
      requests.clear();
      changes.mark();
    },
  };
}

export type Discord = ReturnType<typeof createDiscord>;

function parsedOrText(body: string): unknown {
  if (body === '') return null;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

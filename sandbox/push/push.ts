import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createFaultQueue, faultLife } from '../fault-queue';
import {
  respond,
  respondJson,
  CALLER_GONE,
  createApp,
  hang,
  pause,
  type ResponseHeaders,
  type App,
  type RequestContext,
} from '../http/app';
import { createRecentList, type Changes, type Service } from '../service';
import {
  createBrowserKeys,
  createVapidCheck,
  decryptMessage,
  publicKeysOf,
  type BrowserKeys,
} from './push-crypto';

const life = {
  ...faultLife,
  /** The fault applies only to every n-th push. */
  everyNth: z.int().min(1).max(1_000).optional(),
};

/**
 * A fault of the push service: `status` refuses (`retryAfter` in seconds, or as the header's text; `body`: the words of a
 * push service, such as {"reason":"VapidPkHashMismatch"}), `gone` ends the subscription, `delay` (milliseconds) accepts
 * and answers late, `hang` accepts nothing and never answers, `headers` answers only with headers.
 */
export const pushFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    retryAfter: z.union([z.int().min(0).max(3_600), z.string().max(100)]).optional(),
    body: z.string().max(2_000).optional(),
    ...life,
  }),
  z.strictObject({ kind: z.literal('gone'), status: z.literal([404, 410]).default(410), ...life }),
  z.strictObject({ kind: z.literal('delay'), ms: z.number().min(0).max(600_000), ...life }),
  z.strictObject({ kind: z.literal('hang'), ...life }),
  z.strictObject({ kind: z.literal('headers'), ...life }),
]);
export type PushFault = z.infer<typeof pushFaultSchema>;

/** A subscription as the browser hands it to the site (`PushSubscription.toJSON()`). */
export interface SandboxSubscription {
  id: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** A push that was accepted. */
export interface PushedMessage {
  id: string;
  subscriptionId: string;
  /** Epoch milliseconds with a fraction. */
  receivedAt: number;
  ttlSeconds: number;
  urgency: string | null;
  topic: string | null;
  /** The decrypted text; null when the message is not encrypted for the subscription. */
  payload: string | null;
}

/** A received message. It is decrypted only when read, so that thousands can arrive per second. */
type StoredMessage = Omit<PushedMessage, 'payload'> & { keys: BrowserKeys; body: Buffer };

interface Browser {
  subscription: SandboxSubscription;
  keys: BrowserKeys;
  /** The public key of the first site that pushed, the only one that may (RFC 8292, section 4). */
  serverKey: string | null;
}

const PATH = '/push/v1/';
const MAX_MESSAGES = 50_000;
/** RFC 8030, section 7.2: a push service accepts at least this much. */
const MAX_BODY_BYTES = 4_096;
const MAX_TTL_SECONDS = 28 * 24 * 60 * 60;

/**
 * A push service (RFC 8030, 8188, 8291, 8292) together with the browsers that are subscribed to it: it refuses what push
 * services refuse, and decrypts what it accepts.
 * @param origin a function, because the port is known only once the server listens
 */
export function createPush(changes: Changes, origin: () => string) {
  const browsers = new Map<string, Browser>();
  const messages = createRecentList<StoredMessage>(MAX_MESSAGES);
  const checkToken = createVapidCheck();
  const faults = createFaultQueue<PushFault>();
  let pushes = 0;

  function subscribe(): SandboxSubscription {
    const keys = createBrowserKeys();
    const id = randomBytes(16).toString('base64url');
    const subscription = { id, endpoint: `${origin()}${PATH}${id}`, keys: publicKeysOf(keys) };
    browsers.set(id, { subscription, keys, serverKey: null });
    changes.mark();
    return subscription;
  }

  function refuse(status: number, message: string, headers: ResponseHeaders = {}): Response {
    changes.mark();
    return respondJson(status, { code: status, message }, headers);
  }

  /** Checks a push as push services do; returns the refusal, or null. */
  function refusalOf(browser: Browser, { req }: RequestContext, body: Buffer): Response | null {
    const ttl = req.header('ttl') ?? '';
    if (!/^\d+$/.test(ttl)) return refuse(400, 'The TTL header is missing (RFC 8030, section 5.2)');
    if (body.length > MAX_BODY_BYTES) return refuse(413, 'The payload is too large');
    if (req.header('content-encoding') !== 'aes128gcm') return refuse(415, 'Use aes128gcm (RFC 8291)');
    const topic = req.header('topic');
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(topic)) return refuse(400, 'The topic is invalid');
    try {
      const key = checkToken(req.header('authorization') ?? '', { origin: origin(), now: Date.now() });
      browser.serverKey ??= key;
      if (browser.serverKey !== key) return refuse(403, 'The subscription belongs to another key');
    } catch (error) {
      return refuse(403, `VAPID: ${error instanceof Error ? error.message : String(error)}`);
    }
    return null;
  }

  /** Stores a push, or replaces the waiting one of its topic. */
  function store(browser: Browser, { req, var: { arrivedAt } }: RequestContext, body: Buffer): Response {
    const id = randomUUID();
    const ttlSeconds = Math.min(Number(req.header('ttl')), MAX_TTL_SECONDS);
    messages.add({
      id,
      subscriptionId: browser.subscription.id,
      receivedAt: arrivedAt,
      ttlSeconds,
      urgency: req.header('urgency') ?? null,
      topic: req.header('topic') ?? null,
      keys: browser.keys,
      body,
    });
    changes.mark();
    return respond(201, { location: `${origin()}/push/m/${id}`, ttl: String(ttlSeconds) });
  }

  async function handle(context: RequestContext): Promise<Response> {
    const body = Buffer.from(await context.req.arrayBuffer());
    pushes += 1;
    const id = context.req.param('id') ?? '';
    const browser = browsers.get(id);
    if (browser === undefined) return refuse(410, 'The subscription has ended');
    const fault = faults.take(({ everyNth }) => pushes % (everyNth ?? 1) === 0);
    switch (fault?.kind) {
      case 'status': {
        const headers: ResponseHeaders =
          fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
        if (fault.body === undefined) return refuse(fault.status, 'A fault of the sandbox', headers);
        changes.mark();
        return respond(fault.status, headers, fault.body);
      }
      case 'headers':
        changes.mark();
        return new Response(new ReadableStream(), { status: 201, headers: { 'content-length': '4' } });
      case 'gone':
        browsers.delete(id);
        return refuse(fault.status, 'The subscription has ended');
      case 'hang':
        changes.mark();
        return hang();
      default:
    }
    const stored = refusalOf(browser, context, body) ?? store(browser, context, body);
    if (fault?.kind === 'delay' && !(await pause(context, fault.ms))) return CALLER_GONE;
    return stored;
  }

  const service: Service = {
    name: 'push',
    app: createApp().post(`${PATH}:id`, handle) as App,
    state: () => ({
      subscriptions: browsers.size,
      messages: messages.list().length,
      pushes,
      faults: faults.list(),
    }),
    reset() {
      browsers.clear();
      messages.clear();
      faults.set([]);
      pushes = 0;
      changes.mark();
    },
  };

  return {
    service,
    /** Subscribes a new browser. */
    subscribe,
    subscriptions: (): SandboxSubscription[] =>
      [...browsers.values()].map(({ subscription }) => subscription),
    /** Accepted messages, oldest first. */
    messages: (): PushedMessage[] => messages.list().map(readMessage),
    /** All requests to existing and ended subscriptions, refused ones included. */
    pushes: (): number => pushes,
    faults: (): PushFault[] => faults.list(),
    setFaults(next: readonly PushFault[]): void {
      faults.set(next);
      changes.mark();
    },
    clear(): void {
      messages.clear();
      changes.mark();
    },
  };
}

export type Push = ReturnType<typeof createPush>;

function readMessage({ keys, body, ...message }: StoredMessage): PushedMessage {
  try {
    return { ...message, payload: decryptMessage(keys, body) };
  } catch {
    // A push service cannot decrypt, so it accepts such a message. The browser drops it.
    return { ...message, payload: null };
  }
}

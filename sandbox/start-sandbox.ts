import { createControl } from './control/control';
import { createDiscord, type WebhookRequest } from './discord/discord';
import { createDiscordOauth, OAUTH_CLIENT, type OauthFault, type OauthRequest } from './discord/oauth';
import { ADMIN_PERSONA_ID, MEMBER_EMAILS, type Persona } from './discord/personas';
import type { KeptMessage } from './discord/message-store';
import type { Audience, Webhook, WebhookFault } from './discord/webhook';
import { closeServer, createHttpServer, listen } from './http/server';
import { createMailCatcher, type CaughtMail, type Receipt } from './mail/mail-catcher';
import type { MailFault } from './mail/mail-fault';
import { createPanel } from './panel/panel';
import { createPush, type PushedMessage, type PushFault, type SandboxSubscription } from './push/push';
import { createScrappey, SCRAPPEY_KEY, SCRAPPEY_PATH, type ScrappeyRequest } from './scrappey/scrappey';
import type { ScrappeyFault } from './scrappey/scrappey-fault';
import { createChanges, type Service } from './service';
import { createShop, type ShopRequest, type ShopState } from './shop/shop';
import type { ShopMode, ShopOrder } from './shop/shop-mode';
import { SHOP_HOME } from './shop/shop-pages';
import { API_KEYS, WEBHOOK_SECRET } from './stripe/keys';
import { createStripeJs, STRIPE_JS_PATH } from './stripe/stripe-js';
import { createStripePages } from './stripe/pages/pages';
import { keepInFile } from './stripe/saved-state';
import { createStripe, type StripeSandbox } from './stripe/stripe';

export interface SandboxOptions {
  /** 0 (the default) takes any free port. */
  port?: number;
  smtpPort?: number;
  /** Where Stripe's events go; a test may set it later (`stripe.webhooks`). */
  stripeEndpoint?: string | null;
  /** Keeps Stripe's objects and clock over a restart. */
  stripeFile?: string | null;
}

/** The running stand-ins, with the operations of the JSON API as functions. */
export interface Sandbox {
  /** `http://127.0.0.1:PORT`, also the panel's address. */
  origin: string;
  smtpUrl: string;
  shopUrl: string;
  /** Value of SCRAPPEY_API_URL: the complete endpoint. */
  scrappeyUrl: string;
  scrappeyKey: string;
  /** Value of DISCORD_WEBHOOK_HOSTS: `127.0.0.1:PORT`. */
  webhookHost: string;
  webhookUrl(audience: Audience): string;
  /** Values of DISCORD_CLIENT_ID, DISCORD_CLIENT_SECRET, DISCORD_OAUTH_URL, DISCORD_API_URL and DISCORD_CDN_URL. */
  discordClientId: string;
  discordClientSecret: string;
  discordOauthUrl: string;
  discordApiUrl: string;
  discordCdnUrl: string;
  /** Value of ADMIN_DISCORD_IDS: the Discord id of the admin persona. */
  adminDiscordId: string;
  /** The mail addresses of the member personas. */
  memberEmails: { pro: string; free: string };
  /** Values of the STRIPE_ variables. The API's paths begin with `/v1/` at the origin. */
  stripeSecretKey: string;
  stripePublishableKey: string;
  stripeWebhookSecret: string;
  stripeApiUrl: string;
  stripeJsUrl: string;
  shop: {
    show(mode: ShopMode, options?: { delayMs?: number; large?: boolean }): void;
    /** Shows one mode per request; the last one stays. */
    play(script: Extract<ShopOrder, { script: unknown }>['script']): void;
    state(): ShopState;
    requests(): ShopRequest[];
  };
  discord: {
    messages(audienceOrId?: string): KeptMessage[];
    requests(audienceOrId?: string): WebhookRequest[];
    addWebhook(audience?: string): Webhook;
    /** Replaces a webhook's faults. Throws when there is no such webhook. */
    setFaults(audienceOrId: string, faults: readonly WebhookFault[]): void;
    clear(): void;
  };
  /** Sign-in with Discord. */
  oauth: {
    personas(): Persona[];
    /** Adds a persona, or replaces the one with that key. */
    putPersona(persona: Persona): Persona;
    requests(): OauthRequest[];
    setFaults(faults: readonly OauthFault[]): void;
  };
  scrappey: {
    requests(): ScrappeyRequest[];
    setFaults(faults: readonly ScrappeyFault[]): void;
  };
  mails: {
    list(): CaughtMail[];
    /** Who received which mail when, oldest first. */
    receipts(): Receipt[];
    setFaults(faults: readonly MailFault[]): void;
    clear(): void;
  };
  push: {
    /** Subscribes a new browser, as `PushManager.subscribe()` does. */
    subscribe(): SandboxSubscription;
    subscriptions(): SandboxSubscription[];
    messages(): PushedMessage[];
    /** All requests to existing and ended subscriptions, refused ones included. */
    pushes(): number;
    setFaults(faults: readonly PushFault[]): void;
    clear(): void;
  };
  /** Stripe's objects, its test clock, and the requests that reached its API. */
  stripe: Omit<StripeSandbox, 'service'>;
  /** Restores the initial state: removes added webhooks, messages, mails, faults and the shop's orders. */
  reset(): void;
  /** Stops at once and closes open connections. */
  close(): Promise<void>;
}

/** Starts every stand-in in this process, on 127.0.0.1 only. Rejects when a port is taken. */
export async function startSandbox({
  port = 0,
  smtpPort = 0,
  stripeEndpoint = null,
  stripeFile = null,
}: SandboxOptions = {}): Promise<Sandbox> {
  let origin = '';
  const changes = createChanges();
  const shop = createShop(changes);
  const discord = createDiscord(changes, () => origin);
  const oauth = createDiscordOauth(changes);
  const scrappey = createScrappey(changes);
  const mails = createMailCatcher(changes);
  const push = createPush(changes, () => origin);
  const stripe = createStripe(changes, () => origin);
  const services: Service[] = [
    shop.service,
    discord.service,
    oauth.service,
    scrappey.service,
    mails.service,
    push.service,
    stripe.service,
  ];

  const server = createHttpServer([
    ...services.flatMap(({ app }) => app ?? []),
    createStripeJs(),
    createStripePages(stripe.billing, changes),
    createControl({ services, changes, shop, discord, oauth, scrappey, mails, push, stripe }),
    createPanel({ changes, shop, discord, scrappey, mails, push, stripe }),
  ]);
  const httpPort = await listen(server, port);
  origin = `http://127.0.0.1:${httpPort}`;
  const reset = () => {
    for (const service of services) service.reset();
  };
  reset();
  stripe.webhooks.setEndpoint(stripeEndpoint);
  let savedStripe: ReturnType<typeof keepInFile> | null = null;
  let mailPort: number;
  try {
    if (stripeFile !== null) savedStripe = keepInFile(stripeFile, stripe, changes);
    mailPort = await mails.listen(smtpPort);
  } catch (error) {
    await closeServer(server);
    throw error;
  }

  const requireWebhook = (audienceOrId: string): Webhook => {
    const webhook = discord.findWebhook(audienceOrId);
    if (!webhook) throw new Error(`no webhook has the id or audience ${audienceOrId}`);
    return webhook;
  };

  return {
    origin,
    smtpUrl: `smtp://127.0.0.1:${mailPort}`,
    shopUrl: origin + SHOP_HOME,
    scrappeyUrl: origin + SCRAPPEY_PATH,
    scrappeyKey: SCRAPPEY_KEY,
    webhookHost: `127.0.0.1:${httpPort}`,
    discordClientId: OAUTH_CLIENT.id,
    discordClientSecret: OAUTH_CLIENT.secret,
    discordOauthUrl: `${origin}/oauth2/authorize`,
    discordApiUrl: `${origin}/api/v10`,
    discordCdnUrl: origin,
    adminDiscordId: ADMIN_PERSONA_ID,
    memberEmails: MEMBER_EMAILS,
    stripeSecretKey: API_KEYS.secret,
    stripePublishableKey: API_KEYS.publishable,
    stripeWebhookSecret: WEBHOOK_SECRET,
    stripeApiUrl: origin,
    stripeJsUrl: origin + STRIPE_JS_PATH,
    webhookUrl: (audience) => requireWebhook(audience).url,
    shop: {
      show: (mode, options = {}) => shop.set({ mode, ...options }),
      play: (script) => shop.set({ script }),
      state: shop.state,
      requests: shop.requests,
    },
    discord: {
      messages: discord.messages,
      requests: discord.requests,
      addWebhook: discord.addWebhook,
      setFaults(audienceOrId, faults) {
        discord.setFaults(requireWebhook(audienceOrId).id, faults);
      },
      clear: discord.clearMessages,
    },
    oauth: {
      personas: oauth.personas,
      putPersona: oauth.putPersona,
      requests: oauth.requests,
      setFaults: oauth.setFaults,
    },
    scrappey: { requests: scrappey.requests, setFaults: scrappey.setFaults },
    mails: {
      list: mails.list,
      receipts: mails.receipts,
      setFaults: mails.setFaults,
      clear: mails.clear,
    },
    push: {
      subscribe: push.subscribe,
      subscriptions: push.subscriptions,
      messages: push.messages,
      pushes: push.pushes,
      setFaults: push.setFaults,
      clear: push.clear,
    },
    stripe,
    reset,
    async close() {
      stripe.close();
      savedStripe?.close();
      await Promise.all([closeServer(server), mails.close()]);
    },
  };
}

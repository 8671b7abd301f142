import { createControl } from './control/control';
import { BOT } from './discord/guild';
import { OAUTH_CLIENT } from './discord/oauth';
import { ADMIN_PERSONA_ID, MEMBER_EMAILS } from './discord/personas';
import { GUILD_ID, type Audience } from './discord/webhook';
import { closeServer, createHttpServer, listen } from './http/server';
import { createPanel } from './panel/panel';
import { SCRAPPEY_KEY, SCRAPPEY_PATH } from './scrappey/scrappey';
import { SHOP_HOME } from './shop/shop-pages';
import { createStandIns, type StandIns } from './stand-ins';
import { API_KEYS, WEBHOOK_SECRET } from './stripe/keys';
import { createStripePages } from './stripe/pages/pages';
import { keepInFile } from './stripe/saved-state';
import { createStripeJs, STRIPE_JS_PATH } from './stripe/stripe-js';

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
export interface Sandbox extends Omit<StandIns, 'changes' | 'services'> {
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
  /** Values of DISCORD_BOT_TOKEN and DISCORD_GUILD_ID. */
  discordBotToken: string;
  discordGuildId: string;
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
  const standIns = createStandIns(() => origin);
  const { changes, services, shop, discord, mails, stripe } = standIns;
  const server = createHttpServer([
    ...services.flatMap(({ app }) => app ?? []),
    createStripeJs(),
    createStripePages(stripe.billing, changes),
    createControl(standIns),
    createPanel(standIns),
  ]);
  const httpPort = await listen(server, port);
  origin = `http://127.0.0.1:${httpPort}`;
  standIns.reset();
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

  return {
    ...standIns,
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
    discordBotToken: BOT.token,
    discordGuildId: GUILD_ID,
    adminDiscordId: ADMIN_PERSONA_ID,
    memberEmails: MEMBER_EMAILS,
    stripeSecretKey: API_KEYS.secret,
    stripePublishableKey: API_KEYS.publishable,
    stripeWebhookSecret: WEBHOOK_SECRET,
    stripeApiUrl: origin,
    stripeJsUrl: origin + STRIPE_JS_PATH,
    webhookUrl: (audience) => discord.requireWebhook(audience).url,
    async close() {
      stripe.close();
      savedStripe?.close();
      await Promise.all([closeServer(server), shop.products.close(), mails.close()]);
    },
  };
}

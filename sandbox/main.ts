import { AUDIENCES } from './discord/webhook';
import { startSandbox, type Sandbox } from './start-sandbox';

const DEFAULT_PORT = 4010;
const DEFAULT_SMTP_PORT = 4025;
const STOP_TIMEOUT_MS = 3_000;

/** A port from the environment; throws a sentence when it is not a port. */
function readPort(name: string, fallback: number): number {
  const text = process.env[name]?.trim();
  if (!text) return fallback;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`${name} must be a port from 0 to 65535, not ${JSON.stringify(text)}`);
}

async function run(): Promise<void> {
  let sandbox: Sandbox | null = null;
  let stopping = false;
  const stop = () => {
    // Ctrl-C reaches this process twice (terminal and parent): ignore the second signal.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    void (sandbox?.close() ?? Promise.resolve()).then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The IPC channel closes when the parent process ends.
  process.on('disconnect', stop);

  sandbox = await startSandbox({
    port: readPort('SANDBOX_PORT', DEFAULT_PORT),
    smtpPort: readPort('SANDBOX_SMTP_PORT', DEFAULT_SMTP_PORT),
    stripeEndpoint: process.env.SANDBOX_STRIPE_ENDPOINT?.trim() || null,
    stripeFile: process.env.SANDBOX_STRIPE_FILE?.trim() || null,
  });
  const { webhookUrl } = sandbox;
  const webhooks = Object.fromEntries(AUDIENCES.map((audience) => [audience, webhookUrl(audience)]));
  const ready = {
    sandbox: 'ready',
    origin: sandbox.origin,
    smtpUrl: sandbox.smtpUrl,
    webhooks,
    shopUrl: sandbox.shopUrl,
    scrappeyUrl: sandbox.scrappeyUrl,
    scrappeyKey: sandbox.scrappeyKey,
    webhookHost: sandbox.webhookHost,
    discordClientId: sandbox.discordClientId,
    discordClientSecret: sandbox.discordClientSecret,
    discordOauthUrl: sandbox.discordOauthUrl,
    discordApiUrl: sandbox.discordApiUrl,
    discordCdnUrl: sandbox.discordCdnUrl,
    discordBotToken: sandbox.discordBotToken,
    discordGuildId: sandbox.discordGuildId,
    adminDiscordId: sandbox.adminDiscordId,
    memberEmails: sandbox.memberEmails,
    stripeSecretKey: sandbox.stripeSecretKey,
    stripePublishableKey: sandbox.stripePublishableKey,
    stripeWebhookSecret: sandbox.stripeWebhookSecret,
    stripeApiUrl: sandbox.stripeApiUrl,
    stripeJsUrl: sandbox.stripeJsUrl,
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

run().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The sandbox could not start: ${reason}\n`);
  process.exit(1);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as privateRedis from '../../../scripts/processes/private-redis.mjs';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { freePort } from '../../free-port';
import { runTool, startDaemon, startWeb, type Environment } from '../../e2e/stack';

/** The processes that are killed. Stripe's stand-in runs in this process and is not. */
export const VICTIMS = ['web', 'daemon', 'redis'] as const;
export type Victim = (typeof VICTIMS)[number];

/** Web, daemon and Redis, which can be killed and started again, and a sandbox. */
export interface KillableStack {
  siteUrl: string;
  sandbox: Sandbox;
  dataDir: string;
  /** Kills a process (SIGKILL) and starts it again at once, with the same port and files. Resolves when it is ready. */
  killAndRestart(victim: Victim): Promise<void>;
  stop(): Promise<void>;
}

/** Starts web and daemon on this Stripe and this Redis, with a database that is migrated and packages that are synced. */
export async function startKillableStack(): Promise<KillableStack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'packwatch-faults-'));
  // Bundled, the module would look for its files below build/.
  const module = pathToFileURL(resolve('scripts/processes/private-redis.mjs')).href;
  const { startPrivateRedis } = (await import(module)) as typeof privateRedis;
  const redis = await startPrivateRedis({ directory: dataDir });
  const sandbox = await startSandbox();
  const [port, daemonPort] = [await freePort(), await freePort()];
  const siteUrl = `http://localhost:${port}`;
  const environment: Environment = {
    NODE_ENV: 'production',
    SANDBOX: '1',
    PORT: String(port),
    APP_URL: siteUrl,
    DATA_DIR: dataDir,
    REDIS_URL: redis.url,
    DAEMON_PORT: String(daemonPort),
    MONITOR_TARGET_URL: sandbox.shopUrl,
    DISCORD_WEBHOOK_HOSTS: sandbox.webhookHost,
    SMTP_URL: sandbox.smtpUrl,
    STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
    STRIPE_PUBLISHABLE_KEY: sandbox.stripePublishableKey,
    STRIPE_WEBHOOK_SECRET: sandbox.stripeWebhookSecret,
    STRIPE_API_URL: sandbox.stripeApiUrl,
    STRIPE_JS_URL: sandbox.stripeJsUrl,
    TRUST_PROXY: '1',
  };

  const start = {
    web: async () => (await startWeb(environment, dataDir)).running,
    daemon: () => startDaemon(environment, dataDir),
  };

  sandbox.stripe.webhooks.setEndpoint(`${siteUrl}/api/webhooks/stripe`);
  await runTool('migrate', [], environment, dataDir);
  await runTool('packages', ['sync'], environment, dataDir);
  const running = { web: await start.web(), daemon: await start.daemon() };

  return {
    siteUrl,
    sandbox,
    dataDir,
    async killAndRestart(victim) {
      if (victim === 'redis') {
        await redis.kill();
        await redis.start();
        return;
      }
      running[victim].child.kill('SIGKILL');
      await running[victim].ended;
      running[victim] = await start[victim]();
    },
    async stop() {
      await running.daemon.stop();
      await running.web.stop();
      await sandbox.close();
      await redis.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE, SECOND } from '#shared/clock';
import { freePort } from '../free-port';

// Far more than a start takes: a busy machine is no failure.
const START_LIMIT_MS = 3 * MINUTE;
const STOP_LIMIT_MS = 15 * SECOND;
const POLL_EVERY_MS = 100;

/** What `npm run start:web` runs, without npm in between. */
const WEB = ['node_modules/@remix-run/serve/dist/cli.js', './build/server/index.js'];

export type Environment = Record<string, string>;

/** The addresses that the sandbox prints when it is ready. */
export interface SandboxAddresses {
  origin: string;
  smtpUrl: string;
  shopUrl: string;
  scrappeyUrl: string;
  scrappeyKey: string;
  webhookHost: string;
  webhooks: { instant: string; free: string; admin: string };
  discordClientId: string;
  discordClientSecret: string;
  discordOauthUrl: string;
  discordApiUrl: string;
  discordCdnUrl: string;
  discordBotToken: string;
  discordGuildId: string;
  adminDiscordId: string;
  stripeSecretKey: string;
  stripePublishableKey: string;
  stripeWebhookSecret: string;
  stripeApiUrl: string;
  stripeJsUrl: string;
}

/** A process of the product, its output kept in a file. It ends when this process goes away. */
export interface Running {
  name: string;
  child: ChildProcess;
  output(): string;
  /** Resolves with exit code and signal. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** SIGTERM, and SIGKILL when that is ignored for too long. */
  stop(): Promise<void>;
}

export interface StartOptions {
  name: string;
  args: string[];
  environment: Environment;
  logFolder: string;
  /** The path of the Node to run, this process's own unless given. */
  node?: string | undefined;
}

/** Starts `node ARGS` at the repository root with `environment`, NODE_ENV=production, PATH, HOME and the compile cache alone. */
export function startNode({ name, args, environment, logFolder, node }: StartOptions): Running {
  const logFile = join(logFolder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(node ?? process.execPath, args, {
    env: { NODE_ENV: 'production', PATH, HOME, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return {
    name,
    child,
    ended,
    output: () => readFileSync(logFile, 'utf8'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(killer);
    },
  };
}

/** Polls `look` until it returns a value; throws with the process's output when it ends or takes too long. */
async function waitFor<Found>(
  running: Running,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (running.child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`${running.name} did not start:\n${running.output().slice(-4_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

/** Waits until an address answers at all with a status below 500. */
function waitForAnswer(running: Running, url: string): Promise<true> {
  return waitFor(running, async () => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(SECOND) }).catch(() => null);
    return answer !== null && answer.status < 500 ? true : undefined;
  });
}

/** Runs one of the command line tools to its end; throws with its output when it fails. */
export async function runTool(
  name: string,
  args: string[],
  environment: Environment,
  logFolder: string,
  node?: string,
): Promise<void> {
  const program = ['scripts/processes/run-tool.mjs', `build/daemon/cli/${name}.js`];
  const tool = startNode({ name, args: [...program, ...args], environment, logFolder, node });
  const { code } = await tool.ended;
  if (code !== 0) throw new Error(`${name} failed:\n${tool.output().slice(-4_000)}`);
}

/** Names the variable with the folder of a migrated database; without it each site migrates its own. */
export const TEMPLATE_VARIABLE = 'PACKWATCH_TEMPLATE';

/** Creates the database of a site whose DATA_DIR is `folder`. */
export async function createDatabase(folder: string, node?: string): Promise<void> {
  const template = process.env[TEMPLATE_VARIABLE];
  if (template === undefined) await runTool('migrate', [], { DATA_DIR: folder, SANDBOX: '1' }, folder, node);
  else copyFileSync(join(template, 'packwatch.db'), join(folder, 'packwatch.db'));
}

export interface Web {
  running: Running;
  url: string;
}

/** The options of Node that `npm run start:web` or `start:daemon` sets: tests run within the memory of production. */
function memoryOptions(script: 'start:web' | 'start:daemon'): string {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const options = /NODE_OPTIONS="([^"$]+)/.exec(scripts[script] ?? '')?.[1];
  if (options === undefined) throw new Error(`${script} sets no NODE_OPTIONS`);
  return options.trim();
}

/** Starts the built web process on the port of `environment` or a free one, and waits until it answers. */
export async function startWeb(environment: Environment, logFolder: string, node?: string): Promise<Web> {
  const port = Number(environment.PORT ?? (await freePort()));
  const url = environment.APP_URL ?? `http://localhost:${port}`;
  const running = startNode({
    name: 'web',
    args: WEB,
    environment: {
      NODE_ENV: 'production',
      NODE_OPTIONS: memoryOptions('start:web'),
      // A site with a public address must have all of production's variables.
      ...(environment.APP_URL === undefined && { SANDBOX: '1', APP_URL: url }),
      ...environment,
      PORT: String(port),
    },
    logFolder,
    node,
  });
  await waitForAnswer(running, `http://localhost:${port}/healthz`);
  return { running, url: `http://localhost:${port}` };
}

/** Starts the built daemon, with its health at the `DAEMON_PORT` of `environment`, and waits until it answers. */
export async function startDaemon(
  environment: Environment,
  logFolder: string,
  { name = 'daemon', node }: { name?: string; node?: string | undefined } = {},
): Promise<Running> {
  const running = startNode({
    name,
    args: ['build/daemon/main.js'],
    environment: { NODE_OPTIONS: memoryOptions('start:daemon'), ...environment },
    logFolder,
    node,
  });
  await waitForAnswer(running, `http://localhost:${environment.DAEMON_PORT}/healthz`);
  return running;
}

async function startSandbox(
  logFolder: string,
  node?: string,
): Promise<{ running: Running; addresses: SandboxAddresses }> {
  const running = startNode({
    name: 'sandbox',
    args: ['build/sandbox/main.js'],
    environment: { SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0' },
    logFolder,
    node,
  });
  const addresses = await waitFor(running, () => {
    const line = running
      .output()
      .split('\n')
      .find((text) => text.includes('"sandbox":"ready"'));
    return line === undefined ? undefined : (JSON.parse(line) as SandboxAddresses);
  });
  return { running, addresses };
}

/** Sets the endpoint of the sandbox's Stripe: the site's port is known only now. */
async function sendStripeEventsTo({ origin }: SandboxAddresses, siteUrl: string): Promise<void> {
  const answer = await fetch(`${origin}/control/stripe/endpoint`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: `${siteUrl}/api/webhooks/stripe` }),
  });
  if (!answer.ok) throw new Error(`the sandbox refused the webhook endpoint: ${await answer.text()}`);
}

/** Everything that `npm start` runs, from build/, in its own data folder. */
export interface Stack {
  siteUrl: string;
  daemonUrl: string;
  sandbox: SandboxAddresses;
  /** The variables of web and daemon, for tools that should meet the same stack. */
  environment: Environment;
  dataDir: string;
  /** Process ids of what runs now. */
  pids(): Record<string, number | undefined>;
  /** Stops everything and returns the exit codes by process (null: ended by a signal). */
  stop(): Promise<Record<string, number | null>>;
}

export interface StackOptions {
  /** The path of the Node to run, this process's own unless given. */
  node?: string;
  /** Options of Node for web and daemon. */
  nodeOptions?: string;
  /** Variables of web and daemon beside those of the sandbox, or instead of them. */
  variables?: Environment;
}

/** Starts the whole stack. `redisUrl` is a Redis that the tests may fill. */
export async function startStack(
  redisUrl: string,
  { node, nodeOptions, variables }: StackOptions = {},
): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'packwatch-e2e-'));
  const started: Running[] = [];
  const stop = async () => {
    const codes: Record<string, number | null> = {};
    for (const running of started.toReversed()) {
      await running.stop();
      codes[running.name] = (await running.ended).code;
    }
    rmSync(dataDir, { recursive: true, force: true });
    return codes;
  };
  try {
    const { running: sandboxProcess, addresses: sandbox } = await startSandbox(dataDir, node);
    started.push(sandboxProcess);
    const daemonPort = await freePort();
    const environment: Environment = {
      NODE_ENV: 'production',
      SANDBOX: '1',
      DATA_DIR: dataDir,
      REDIS_URL: redisUrl,
      DAEMON_PORT: String(daemonPort),
      MONITOR_TARGET_URL: sandbox.shopUrl,
      SCRAPPEY_API_URL: sandbox.scrappeyUrl,
      SCRAPPEY_API_KEY: sandbox.scrappeyKey,
      DISCORD_WEBHOOK_HOSTS: sandbox.webhookHost,
      ALLOWED_PRIVATE_HOSTS: sandbox.webhookHost,
      SMTP_URL: sandbox.smtpUrl,
      MAIL_FROM: 'Packwatch <alerts@packwatch.localhost>',
      DISCORD_CLIENT_ID: sandbox.discordClientId,
      DISCORD_CLIENT_SECRET: sandbox.discordClientSecret,
      DISCORD_BOT_TOKEN: sandbox.discordBotToken,
      DISCORD_GUILD_ID: sandbox.discordGuildId,
      DISCORD_OAUTH_URL: sandbox.discordOauthUrl,
      DISCORD_API_URL: sandbox.discordApiUrl,
      DISCORD_CDN_URL: sandbox.discordCdnUrl,
      ADMIN_DISCORD_IDS: sandbox.adminDiscordId,
      STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
      STRIPE_PUBLISHABLE_KEY: sandbox.stripePublishableKey,
      STRIPE_WEBHOOK_SECRET: sandbox.stripeWebhookSecret,
      STRIPE_API_URL: sandbox.stripeApiUrl,
      STRIPE_JS_URL: sandbox.stripeJsUrl,
      // Limits count by address, and every test has its own.
      TRUST_PROXY: '1',
      ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }),
      ...variables,
    };
    const { instant, free, admin } = sandbox.webhooks;
    await createDatabase(dataDir, node);
    await runTool(
      'seed',
      ['--instant', instant, '--free', free, '--admin', admin],
      environment,
      dataDir,
      node,
    );

    const web = await startWeb(environment, dataDir, node);
    started.push(web.running);
    environment.APP_URL = web.url;
    await sendStripeEventsTo(sandbox, web.url);
    const daemon = await startDaemon(environment, dataDir, { node });
    started.push(daemon);
    const daemonUrl = `http://localhost:${daemonPort}`;
    const pids = () =>
      Object.fromEntries(
        started
          .filter(({ child }) => child.exitCode === null && child.signalCode === null)
          .map(({ name, child }) => [name, child.pid]),
      );
    return { siteUrl: web.url, daemonUrl, sandbox, environment, dataDir, pids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

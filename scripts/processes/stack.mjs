import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../build/ensure-built.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';
import { endLeftovers, clearProcessRecord, recordProcesses } from './leftovers.mjs';
import { tryLock } from './lock-file.mjs';
import { BUILD, dataDirectory, runDirectory } from '../project.mjs';
import {
  answersPing,
  privateRedis,
  redisSocketPath,
  redisUrl,
  removeRedisSocket,
  waitForRedis,
} from './redis.mjs';
import { findRedisProgram } from '../setup/redis-program.mjs';
import { loadDotEnv, removeRunningEnvironment, writeRunningEnvironment } from './running-environment.mjs';
import { chooseSandboxPorts, isPortFree, readSandboxReady, saveSandboxPorts } from './sandbox-process.mjs';
import { SetupFault, describeFault } from '../setup/setup-fault.mjs';
import {
  demoArguments,
  ensureSessionSecret,
  neededStandIns,
  standInVariables,
  stripeEndpoint,
} from '../setup/stand-ins.mjs';
import { createSupervisor, healthAddresses, waitForHealth } from './supervisor.mjs';

const LOCK_RETRY_MS = 100;
const RUN_TOOL = join(import.meta.dirname, 'run-tool.mjs');
const STOP_ORDER = [['web', 'daemon'], ['sandbox'], ['redis']];

// The variables, none of them secret, that a command in another terminal needs to use this run.
const SHARED_VARIABLES = [
  'PORT',
  'DAEMON_PORT',
  'APP_URL',
  'DATABASE_URL',
  'REDIS_URL',
  'MONITOR_TARGET_URL',
  'SCRAPPEY_API_URL',
  'DISCORD_WEBHOOK_HOSTS',
];

/**
 * Sets everything up and runs web, daemon, Redis and sandbox until the command is stopped. Builds `parts` first.
 * `programs(environment)` returns the command lines `{ command, args, env? }` of `web`, `daemon` and `sandbox`.
 */
export async function runStack({ processes, reporter, stop, onStop }, { parts, programs: programsFor }) {
  loadDotEnv();
  const dataDir = dataDirectory(process.env);
  const environment = withAddresses(process.env, dataDir);
  const programs = programsFor(environment);
  const lock = await takeRunLock(dataDir, environment, { processes, reporter });
  const supervisor = createSupervisor({
    processes,
    reporter,
    onChange: () => recordProcesses(dataDir, supervisor.pids()),
    onGiveUp: (name, log) => {
      const fault = new SetupFault(`${name} does not stay up, so everything is stopped.`, {
        log,
        advice: ['Its last lines are above.'],
      });
      process.stderr.write(`\n${describeFault(fault)}\n`);
      stop(1);
    },
  });
  onStop(async () => {
    removeRunningEnvironment(dataDir);
    if (Object.keys(supervisor.pids()).length > 0) reporter.print('• Stopping …');
    await supervisor.stop(STOP_ORDER);
    clearProcessRecord(dataDir);
    lock.release();
  });

  await requireFreePorts(environment);
  const [redis] = await Promise.all([
    startRedis(environment, dataDir, { processes, reporter, supervisor }),
    ensureDependencies({ processes, reporter }),
  ]);
  await ensureBuilt(parts, { processes, reporter });

  const needed = neededStandIns(environment);
  const needsSandbox = Object.values(needed).some(Boolean);
  const withRedis = {
    ...environment,
    ...redis,
    ...sessionSecret(environment, dataDir),
    ...(needsSandbox && { SANDBOX: '1' }),
  };
  const [sandbox] = await Promise.all([
    needsSandbox ? startSandbox(programs.sandbox, environment, dataDir, supervisor) : null,
    runCli('migrate', [], { env: withRedis, processes }),
  ]);
  const standIns = sandbox === null ? {} : standInVariables(needed, sandbox, environment);
  const complete = { ...withRedis, ...standIns };
  await runCli('seed', sandbox === null ? [] : demoArguments(needed, sandbox), { env: complete, processes });
  // Also after a reset of the sandbox, which forgets the prices.
  if (needed.stripe) await runCli('packages', ['sync'], { env: complete, processes });

  const shared = Object.fromEntries(
    SHARED_VARIABLES.filter((name) => complete[name]).map((name) => [name, complete[name]]),
  );
  writeRunningEnvironment(dataDir, { ...shared, ...redis, ...standIns });
  const health = healthAddresses(environment);
  await Promise.all(
    Object.entries(health).map(([name, url]) =>
      supervisor.start(name, {
        describe: () => ({ ...programs[name], env: { ...complete, ...programs[name].env } }),
        ready: (_child, signal) =>
          waitForHealth(url, {
            signal,
            onNotice: (seen) => reporter.print(`! ${name} is not ready yet: ${url} answers ${seen}`),
          }),
      }),
    ),
  );
  reporter.print(describeRun({ environment, health, sandbox, needed, dataDir }));
  await new Promise(() => {});
}

function withAddresses(given, dataDir) {
  const port = given.PORT?.trim() || '3000';
  return {
    ...given,
    DATA_DIR: dataDir,
    PORT: port,
    DAEMON_PORT: given.DAEMON_PORT?.trim() || '3001',
    APP_URL: given.APP_URL?.trim() || `http://localhost:${port}`,
    NODE_OPTIONS: [given.NODE_OPTIONS, '--enable-source-maps'].filter(Boolean).join(' '),
  };
}

// In production the operator must set the secret.
function sessionSecret(environment, dataDir) {
  if (environment.SESSION_SECRET?.trim() || environment.NODE_ENV === 'production') return {};
  return { SESSION_SECRET: ensureSessionSecret(dataDir) };
}

// One run per data folder: a second run would use the first one's Redis, which ends with the first one.
async function takeRunLock(dataDir, environment, { processes, reporter }) {
  const path = join(runDirectory(dataDir), 'run.lock');
  for (;;) {
    const lock = tryLock(path, { address: environment.APP_URL, reaper: processes.reaperIdentity() });
    if (lock.holder !== undefined) {
      throw new SetupFault(
        `Packwatch already runs on this data folder: process ${lock.holder.pid}, ${lock.holder.address}`,
        {
          advice: ['Stop that one first, or give a second one its own DATA_DIR, PORT and DAEMON_PORT.'],
        },
      );
    }
    if (lock.release === undefined) {
      await sleep(LOCK_RETRY_MS);
      continue;
    }
    const left = lock.stale ? await endLeftovers(dataDir) : [];
    if (left.length > 0) reporter.print(`• Ended what an earlier run left behind: ${left.join(', ')}.`);
    return lock;
  }
}

async function requireFreePorts(environment) {
  for (const name of ['PORT', 'DAEMON_PORT']) {
    const port = Number(environment[name]);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new SetupFault(`${name} must be a port number from 1 to 65535.`);
    if (!(await isPortFree(port))) {
      throw new SetupFault(`Port ${port} is in use by another program.`, {
        advice: [`Set ${name} to a free port: ${name}=${port + 10} npm start`],
      });
    }
  }
}

async function startRedis(environment, dataDir, { processes, reporter, supervisor }) {
  if (environment.REDIS_URL?.trim()) return { REDIS_URL: environment.REDIS_URL };
  const socket = redisSocketPath(dataDir);
  const found = { REDIS_URL: redisUrl(socket) };
  if (await answersPing(socket)) return found;
  removeRedisSocket(socket, dataDir);
  const program = await findRedisProgram({ processes, reporter });
  await supervisor.start('redis', {
    describe: () => ({
      ...privateRedis({ program, socket, directory: join(dataDir, 'redis') }),
      quiet: true,
    }),
    ready: (_child, signal) => waitForRedis(socket, signal),
  });
  return found;
}

async function startSandbox(program, environment, dataDir, supervisor) {
  let ports = await chooseSandboxPorts(environment, dataDir);
  return supervisor.start('sandbox', {
    describe: () => ({
      ...program,
      env: {
        ...environment,
        ...program.env,
        SANDBOX_PORT: String(ports.http),
        SANDBOX_SMTP_PORT: String(ports.smtp),
        SANDBOX_STRIPE_ENDPOINT: stripeEndpoint(environment),
        // The database refers to the sandbox's customers and subscriptions, so both are kept in the same folder.
        SANDBOX_STRIPE_FILE: join(dataDir, 'sandbox-stripe.json'),
      },
      quiet: true,
    }),
    ready: async (child, signal) => {
      const ready = await readSandboxReady(child, signal);
      // After a restart the sandbox must have the same ports.
      ports = saveSandboxPorts(dataDir, ready);
      return ready;
    },
  });
}

async function runCli(name, args, { env, processes }) {
  const result = await processes.run(
    process.execPath,
    [RUN_TOOL, join(BUILD, 'daemon', 'cli', `${name}.js`), ...args],
    { env },
  );
  if (!result.ok) {
    throw new SetupFault(`The ${name} command failed.`, {
      log: result.output,
      advice: ['Fix the errors above, then start again.'],
    });
  }
}

function describeRun({ environment, health, sandbox, needed, dataDir }) {
  const rows = [
    ['Site', environment.APP_URL],
    ...(needed.signIn
      ? [
          [
            'Sign in',
            'with Discord, as one of the people the sandbox offers (Admin is one); codes come by its mail',
          ],
        ]
      : []),
    ['Health', `${health.web} (web), ${health.daemon} (daemon)`],
    ...(sandbox === null
      ? []
      : [
          [
            'Sandbox',
            `${sandbox.origin} – read caught mail and alerts, switch the shop, move Stripe’s clock`,
          ],
        ]),
    ['Data', dataDir],
    ['Stop', 'Ctrl-C'],
  ];
  return [
    '',
    '✓ Packwatch is running.',
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(9)}${value}`),
    '',
  ].join('\n');
}

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { connectQueues, type Queues } from '#shared/queues/connection.server';
import { createKeyring } from '#shared/secrets.server';
import { migrations } from '../../../migrations/all-migrations';
import { startDaemon, type Environment, type Running } from '../../e2e/stack';
import { freePort } from '../../free-port';
import { ROOM_PAGE } from '../pages';
import { addCrowd } from './crowd';
import type { ReceiversCommand, ReceiversReady, ReceiversRecords } from './receivers';

const SECRET = 'q7Zk2vXw9sLr4TbN8yHd3mFc6pJg1eUa';
/** A second watch without members, whose instant messages are timed. */
export const PROBE_WATCH_ID = 'probe';
/** The webhook paths of the crowd's watch and of the probe. */
export const HOOKS = {
  crowd: '/api/webhooks/1/instant',
  free: '/api/webhooks/2/free',
  probe: '/api/webhooks/3/probe',
} as const;

/** A daemon process with a crowd of members, and the services that they receive from. */
export interface MemberStack {
  db: Database;
  queues: Queues;
  /** The records since the last call. */
  take(): Promise<ReceiversRecords>;
  /** Lets the receivers that fail once fail again. */
  forgetFailures(): Promise<void>;
  startDaemon(): Promise<void>;
  killDaemon(): Promise<void>;
  daemonPid(): number;
  close(): Promise<void>;
}

async function addProbe(db: Database, origin: string): Promise<void> {
  await db
    .insertInto('watches')
    .values({
      id: PROBE_WATCH_ID,
      slug: PROBE_WATCH_ID,
      shop: 'probe',
      title: 'probe',
      url: `${origin}/probe`,
      time_zone: 'UTC',
      hours: '0-24',
      interval_seconds: 60,
    })
    .execute();
}

async function addWebhooks(db: Database, origin: string): Promise<void> {
  const keyring = createKeyring([SECRET]);
  const hooks = [
    [DEFAULT_WATCH_ID, 'instant', HOOKS.crowd],
    [DEFAULT_WATCH_ID, 'free', HOOKS.free],
    [PROBE_WATCH_ID, 'instant', HOOKS.probe],
  ] as const;
  for (const [watch_id, audience, path] of hooks)
    await db
      .insertInto('webhooks')
      .values({
        watch_id,
        audience,
        sealed_url: sealWebhook(keyring, `${origin}${path}`),
        updated_at: toIso(Date.now()),
      })
      .execute();
}

/** Options of the crowd. */
export interface CrowdOptions {
  members: number;
  /** Whether they also want mail. */
  email?: boolean;
  /** The endpoint of a member's browser; default: the push service of the receivers. */
  endpointOf?: (member: number, ready: ReceiversReady) => string | null;
  /** More hosts of push services in a private network. */
  hosts?: readonly string[];
  /** Every receiver accepts at once. */
  allWell?: boolean;
  /** Called once the crowd is stored. */
  addMore?: (db: Database, ready: ReceiversReady) => Promise<void>;
}

/** Starts the services and prepares the database; the daemon is started by the caller. */
export async function createMemberStack(
  redisUrl: string,
  { members, email = true, endpointOf = () => null, hosts = [], allWell = false, addMore }: CrowdOptions,
): Promise<MemberStack> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-members-'));
  const file = join(folder, 'packwatch.db');
  await migrateFileToLatest(file, migrations);
  const db = openSqliteDatabase(file);
  const child: ChildProcess = fork(new URL('./members/receivers.js', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [ready] = (await once(child, 'message')) as [ReceiversReady];
  const ask = async (command: ReceiversCommand): Promise<unknown> => {
    child.send(command);
    const [reply] = (await once(child, 'message')) as [unknown];
    return reply;
  };
  await ask({ order: 'page', body: ROOM_PAGE });
  const host = `127.0.0.1:${ready.port}`;
  const origin = `http://${host}`;
  const { slug } = await db.selectFrom('watches').select('slug').executeTakeFirstOrThrow();
  if (allWell) await ask({ order: 'well' });
  await addCrowd(db, {
    count: members,
    watchSlug: slug,
    email,
    endpointOf: (member) => endpointOf(member, ready) ?? `${origin}/push/${member}`,
  });
  await addMore?.(db, ready);
  await addProbe(db, origin);
  await addWebhooks(db, origin);

  const port = await freePort();
  const environment: Environment = {
    NODE_ENV: 'production',
    // As `npm run start:daemon` does.
    NODE_OPTIONS: '--max-old-space-size=224 --max-semi-space-size=8',
    LOG_LEVEL: 'info',
    APP_URL: 'https://packwatch.test',
    SESSION_SECRET: SECRET,
    DATA_DIR: folder,
    REDIS_URL: redisUrl,
    DAEMON_PORT: String(port),
    MONITOR_TARGET_URL: `${origin}/shop`,
    DISCORD_WEBHOOK_HOSTS: host,
    ALLOWED_PRIVATE_HOSTS: [host, ...hosts].join(','),
    SMTP_URL: `smtp://127.0.0.1:${ready.smtpPort}`,
    MAIL_FROM: 'Packwatch <alerts@packwatch.test>',
  };
  const queues = connectQueues(redisUrl);
  let daemon: Running | null = null;
  return {
    db,
    queues,
    take: async () => (await ask({ order: 'take' })) as ReceiversRecords,
    forgetFailures: async () => void (await ask({ order: 'forget' })),
    async startDaemon() {
      daemon = await startDaemon(environment, folder);
    },
    async killDaemon() {
      daemon?.child.kill('SIGKILL');
      await daemon?.ended;
    },
    daemonPid: () => daemon?.child.pid ?? 0,
    async close() {
      await daemon?.stop();
      await queues.close();
      await db.destroy();
      child.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

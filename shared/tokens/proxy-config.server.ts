import { createHash } from 'node:crypto';
import { toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Keyring } from '../secrets.server';
import { findConsumption } from './consume-tokens';
import { nextOrdinal, requireRoomForProxy } from './open-proxies';
import { decodeEscapes } from '../text';

/** A managed proxy, as the desktop app uses it. */
export interface ProxyConfig {
  taskId: string;
  protocol: string;
  host: string;
  port: number;
  /** Null: the proxy needs none. */
  username: string | null;
  password: string | null;
}

export interface ProxyContext {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  /** Proxy URLs; `PROXY_POOL`. */
  proxyPool: readonly string[];
}

interface Task {
  accountId: string;
  taskId: string;
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

function toProxyConfig(taskId: string, proxy: string): ProxyConfig {
  const { protocol, hostname, port, username, password } = new URL(proxy);
  return {
    taskId,
    protocol: protocol.slice(0, -1),
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    // A URL leaves out the default port of its protocol (url.spec.whatwg.org, section 4.2).
    port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port),
    username: username === '' ? null : decodeEscapes(username),
    password: password === '' ? null : decodeEscapes(password),
  };
}

async function findAssigned(
  db: Database,
  keyring: Keyring,
  { accountId, taskId }: Task,
): Promise<{ proxy: string | null } | null> {
  const row = await db
    .selectFrom('proxy_assignments')
    .select('sealed_proxy')
    .where('user_id', '=', accountId)
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  return row === undefined ? null : { proxy: keyring.open('proxy', row.sealed_proxy) };
}

/**
 * The proxy of an account's next task. Consecutive tasks of an account use consecutive proxies of the pool, and accounts
 * start at different ones, so that tasks share a proxy as little as possible. `ordinal`: the task's number, from 1.
 */
function chooseProxy(
  proxyPool: readonly string[],
  { accountId, ordinal }: { accountId: string; ordinal: number },
): string | null {
  const start = createHash('sha256').update(accountId).digest().readUInt32BE();
  return proxyPool[(start + ordinal - 1) % proxyPool.length] ?? null;
}

/**
 * The managed proxy of a task; it keeps the one that it was first given, also when the pool changes. Null when there is no
 * pool, and for a task that has taken its tokens without a proxy: it paid for none. A stored proxy that no session secret
 * can open is replaced by another one of the pool. A new one throws `Conflict` `too_many_open_proxies` and
 * `InsufficientTokens` (see `requireRoomForProxy`).
 */
export async function issueProxy(
  { db, keyring, clock, proxyPool }: ProxyContext,
  { accountId, taskId }: Task,
): Promise<ProxyConfig | null> {
  const task = { accountId, taskId };
  const known = await findAssigned(db, keyring, task);
  if (known?.proxy != null) return toProxyConfig(taskId, known.proxy);
  if (proxyPool.length === 0) return null;

  const proxy = await inTransaction(
    db,
    async (trx) => {
      const assigned = await findAssigned(trx, keyring, task);
      if (assigned?.proxy != null) return assigned.proxy;
      if (assigned === null && (await findConsumption(trx, task)) !== null) return null;
      if (assigned === null) await requireRoomForProxy(trx, { accountId });
      const ordinal = await nextOrdinal(trx, { accountId });
      const next = chooseProxy(proxyPool, { accountId, ordinal });
      if (next === null) return null;
      const sealed_proxy = keyring.seal('proxy', next);
      await trx
        .insertInto('proxy_assignments')
        .values({
          user_id: accountId,
          task_id: taskId,
          sealed_proxy,
          ordinal,
          created_at: toIso(clock.now()),
        })
        .onConflict((conflict) => conflict.columns(['user_id', 'task_id']).doUpdateSet({ sealed_proxy }))
        .execute();
      return next;
    },
    { account: accountId },
  );
  return proxy === null ? null : toProxyConfig(taskId, proxy);
}

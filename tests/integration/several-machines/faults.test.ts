import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import pg from 'pg';
import { createSession } from '#shared/accounts/sessions';
import { HOUR, MINUTE, SECOND, systemClock } from '#shared/clock';
import { openDatabase } from '#shared/database/connection.server';
import { UnknownCommitError } from '#shared/database/postgres/connection-fault';
import { settleCommit } from '#shared/database/postgres/settle-commit';
import { SERVER_RUN, type StartedTransaction } from '#shared/database/postgres/started-transaction';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { addMail, mailOutbox } from '#shared/mail/mails';
import { DURABLE, startPrivatePostgres } from '../../../scripts/processes/private-postgres.mjs';
import { dataExportMailSchema, dataExportUrl } from '#shared/mail/data-export-mail';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { requestExport } from '#shared/personal-data/data-exports';
import { addBetaMember } from '../../paid-accounts';
import { freePort } from '../../free-port';
import { freshAddress } from '../api/api-fixture';
import { lockDatabase } from '../database-faults';
import { startCommitCutter } from '../postgres/commit-cutter';
import { beginAlerts, wrongMessages, type AlertRound } from './alerts';
import { readZip } from '../personal-data/read-zip';
import { beginRestocks, type RestockRound } from './restocks';
import { addMember, consume, whileConsuming, wrongAnswers } from './consumers';
import { ADMIN_EMAIL, databaseOf, startSite, type Machine, type Site } from './site';

/**
 * Two web processes and two daemons on one PostgreSQL, whose processes, server and lines fail under load.
 * `PACKWATCH_ROUNDS=50` repeats each test; with `PACKWATCH_LONG=1` each takes as long, and as many alerts, as its promise names
 * (docs/testing.md).
 */
const ROUNDS = Number(process.env.PACKWATCH_ROUNDS ?? 1);
const IS_LONG = process.env.PACKWATCH_LONG === '1';
const ALERTS = IS_LONG ? 40 : 12;
const RESTOCKS = IS_LONG ? 12 : 4;
/** Between two requests of a reader: without a pause the readers alone take all processors. */
const READ_EVERY_MS = 25;

let site: Site;

beforeAll(async () => {
  // So few that the test can take them all.
  site = await startSite({ max_connections: '60' });
});
afterAll(() => site?.close());
/** Errors that an earlier test has reported. */
const reported = new Set<string>();
afterEach(() => {
  const errors = site.machines.flatMap(({ unexpectedEnd, logged }) => [
    ...[unexpectedEnd()].filter((end) => end !== null),
    // Failing services are not bugs of the product. `fatal` is the alarm of a database that stays read-only.
    ...logged(/"level":"error"/),
  ]);
  const added = errors.filter((error) => !reported.has(error));
  for (const error of added) reported.add(error);
  expect(added).toEqual([]);
});

const upTo = (ms: number) => sleep(Math.random() * ms);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** The status of `/healthz`, which must come in time although the database may be silent. */
async function healthOf({ url }: Machine): Promise<number> {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(15 * SECOND) });
  await response.arrayBuffer();
  return response.status;
}

/** The states of the connections of the site, such as `idle in transaction`. */
async function listConnections(): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state from pg_stat_activity where application_name = 'packwatch' and pid <> pg_backend_pid()`.execute(
    site.db,
  );
  return rows.map(({ state }) => state);
}

async function connectClient(): Promise<pg.Client> {
  const client = new pg.Client(site.server.urlOf('postgres'));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Kills the server's process of a connection, after which the others end theirs and recover. Resolves when they have. */
async function crashBackend(client: pg.Client): Promise<void> {
  const read = async (from: pg.Client) =>
    (await from.query<{ pid: number; run: string }>(`select pg_backend_pid() as pid, ${SERVER_RUN} as run`))
      .rows[0];
  const { pid = 0, run } = (await read(client)) ?? {};
  process.kill(pid, 'SIGKILL');
  const readAgain = async () => {
    const next = await connectClient();
    const found = await read(next);
    await next.end();
    return found;
  };
  await expect.poll(() => readAgain().catch(() => ({ run }))).not.toMatchObject({ run });
}

/**
 * Sends alerts, tells the followers of products, and charges tokens while `disturb` runs; then every alert was sent, every
 * follower was told and every task was charged, once.
 */
async function underLoad(
  disturb: () => Promise<void>,
): Promise<{ rooms: AlertRound; restocks: RestockRound }> {
  const restocks = await beginRestocks(site, RESTOCKS);
  const rooms = await beginAlerts(site, ALERTS);
  const answers = await whileConsuming(site, async () => {
    await disturb();
    await rooms.finish();
    await restocks.finish();
  });
  expect(wrongAnswers(answers)).toEqual([]);
  expect(wrongMessages(rooms)).toEqual([]);
  expect(wrongMessages(restocks)).toEqual([]);
  expect(restocks.wrongNotices()).toEqual([]);
  return { rooms, restocks };
}

test('an archive of personal data is fetched from any machine, once, after the one that made it is gone', async () => {
  const [webA, webB] = site.webs;
  const [maker, other] = site.daemons;
  const [owner, stranger] = [await addMember(site), await addMember(site)];
  const send = (web: Machine, path: string, { token }: typeof owner) =>
    fetch(web.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        Cookie: `${PLAIN_SESSION_COOKIE}=${token}`,
        Origin: site.appUrl,
        'Sec-Fetch-Mode': 'navigate',
        'X-Forwarded-For': freshAddress(),
      },
    });
  await other.kill();
  // The link is read from the outbox.
  await requestExport(
    { db: site.db, clock: systemClock, queues: site.queues },
    { accountId: owner.id, actor: { userId: owner.id } },
  );
  const readMail = () =>
    site.db
      .selectFrom('mails')
      .innerJoin('users', 'users.email', 'mails.recipient')
      .select('mails.data')
      .where('users.id', '=', owner.id)
      .where('template', '=', 'data_export')
      .executeTakeFirst();
  await expect.poll(readMail, { timeout: MINUTE }).toBeDefined();
  await maker.kill();
  await other.start();
  const facts = dataExportMailSchema.parse(JSON.parse((await readMail())?.data ?? 'null'));
  const link = dataExportUrl({ keyring: site.keyring, appUrl: '' }, facts).replace('/data', '/data/file');
  expect((await send(webB, link, stranger)).status).toBe(303);
  const file = await send(webB, link, owner);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const archive = readZip(Buffer.from(await file.arrayBuffer()));
  expect(archive.get('json/profile.json')).toContain(owner.id);
  await expect.poll(async () => (await send(webA, link, owner)).status).toBe(303);
  await maker.start();
});

describe.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))('round %i', () => {
  const options = { timeout: 6 * MINUTE };

  test(
    'any process is killed at any moment: no alert is lost, and every repeat is marked',
    options,
    async () => {
      const { server, redis } = site;
      const killable = [...site.machines, { name: 'PostgreSQL', ...server }, { name: 'Redis', ...redis }];
      await underLoad(async () => {
        for (const { kill, start } of killable.toSorted(() => Math.random() - 0.5)) {
          await upTo(400);
          await kill();
          await upTo(400);
          await start();
        }
      });
    },
  );

  test(
    'PostgreSQL restarts again and again: processes live, alerts leave once, the ledger is exact, and each outage is logged once',
    options,
    async () => {
      // Of the processes that run now: one that was killed before has logged no end.
      const countOpenOutages = () =>
        site.machines.map(
          ({ loggedSinceStart }) =>
            loggedSinceStart(/: the database does not answer"/).length -
            loggedSinceStart(/"the database responds again"/).length,
        );
      await underLoad(async () => {
        const stops = (['SIGINT', 'SIGQUIT', 'crash'] as const).flatMap((how) =>
          Array<typeof how>(IS_LONG ? 7 : 1).fill(how),
        );
        for (const how of stops) {
          await (IS_LONG ? sleep(3 * SECOND) : upTo(SECOND));
          if (how === 'crash') {
            await crashBackend(await connectClient());
            continue;
          }
          await site.server.kill(how);
          await site.server.start();
        }
      });
      await expect.poll(countOpenOutages).toEqual([0, 0, 0, 0]);
    },
  );

  test(
    'an id that is assigned again after the crash of a backend confirms no lost commit',
    options,
    async () => {
      const client = await connectClient();
      await client.query('begin');
      const { rows } = await client.query<StartedTransaction>(
        `select pg_current_xact_id()::text as id, ${SERVER_RUN} as server_run`,
      );
      const [lost = { id: '', server_run: '' }] = rows;
      await crashBackend(client);
      // Others get the next ids, and so its id, too.
      const isAssignedAgain = async () => {
        const { rows: states } = await sql<{ state: string | null }>`
        select pg_xact_status(least(${lost.id}::xid8, pg_current_xact_id())) as state`.execute(site.db);
        return states[0]?.state;
      };
      await expect.poll(isAssignedAgain).toBe('committed');
      await expect(settleCommit({ connectionString: site.server.urlOf('postgres') }, lost)).rejects.toThrow(
        UnknownCommitError,
      );
    },
  );

  test(
    'a claim whose commit holds, but of which the crashed server cannot tell, is kept by its process',
    options,
    async () => {
      const line = await startCommitCutter(site.server.port);
      const db = openDatabase({ engine: 'postgres', url: site.server.urlOf('postgres', line.port) });
      // Due in an hour, so that no daemon claims it.
      const now = Date.now() + HOUR;
      const mail = {
        to: 'ann@example.org',
        template: 'already_registered',
        expiresAt: now + HOUR,
      } as const;
      const { id } = await inTransaction(db, (trx) => addMail(trx, mail, now));
      const read = () =>
        site.db
          .selectFrom('mails')
          .select(['status', 'attempts', 'uncertain'])
          .where('id', '=', id)
          .executeTakeFirst();

      line.cutNext('after');
      // The process learns nothing before the server has crashed.
      line.redirect(await freePort());
      const claiming = mailOutbox.claim(db, { ids: [id], owner: 'test', now });
      await expect.poll(read).toMatchObject({ status: 'sending' });
      await crashBackend(await connectClient());
      line.redirect(site.server.port);
      expect(await claiming).toMatchObject([{ id, attempts: 1 }]);
      await expect.poll(() => read().catch(() => null)).toMatchObject({ attempts: 1, uncertain: 0 });

      await inTransaction(site.db, (trx) => trx.deleteFrom('mails').where('id', '=', id).execute());
      await db.destroy();
      await line.close();
    },
  );

  test(
    'a daemon starts although the crashed server cannot tell whether its first commit holds',
    options,
    async () => {
      const [daemon] = site.daemons;
      const countLives = async () =>
        (
          await site.db
            .selectFrom('daemon_heartbeats')
            .select(({ fn }) => fn.countAll<string>().as('lives'))
            .executeTakeFirstOrThrow()
        ).lives;
      const before = Number(await countLives());
      await daemon.kill();
      const nowhere = await freePort();
      const cut = new Promise<void>((resolve) =>
        daemon.line.cutNext('after', () => {
          // It learns nothing before the server has crashed.
          daemon.line.redirect(nowhere);
          resolve();
        }),
      );
      const starting = daemon.start();
      await cut;
      await crashBackend(await connectClient());
      daemon.line.redirect(site.server.port);
      await starting;
      await expect.poll(() => healthOf(daemon)).toBe(200);
      // Its first process: the fixture starts another one when a process ends.
      expect(Number(await countLives())).toBe(before + 1);
    },
  );

  test(
    'connections break between a commit and its answer: one alert each, one charge each, no repeat',
    options,
    async () => {
      const { rooms, restocks } = await underLoad(async () => {
        for (let cut = 0; cut < (IS_LONG ? 100 : 30); cut += 1) {
          pick(site.machines).line.cutNext(pick(['before', 'after']));
          await upTo(60);
        }
      });
      // No process was killed, so each sender learned what became of its message.
      for (const { messages } of [rooms, restocks])
        expect([...messages().values()].filter(({ length }) => length > 1)).toEqual([]);
      expect(restocks.repeatedNotices()).toEqual([]);
    },
  );

  test(
    'a daemon that is cut off from the database leaves the work to the other one, and repeats nothing on its return',
    options,
    async () => {
      const [cut, other] = site.daemons;
      await underLoad(async () => {
        await upTo(SECOND);
        cut.line.hold(true);
        try {
          await expect.poll(() => healthOf(cut)).toBe(503);
          // It waits for a lock of the other, until the server ends the transaction there.
          await expect.poll(() => healthOf(other)).toBe(200);
          const others = await beginAlerts(site, 3);
          await others.finish();
          expect(wrongMessages(others)).toEqual([]);
          if (IS_LONG) await sleep(MINUTE);
        } finally {
          cut.line.hold(false);
        }
        await expect.poll(() => healthOf(cut)).toBe(200);
      });
    },
  );

  test(
    'a standby is promoted while the old primary is read-only: writes wait, then continue',
    options,
    async () => {
      const old = site.server;
      // The standby begins with a copy of the files.
      await old.kill('SIGINT');
      const standby = await startPrivatePostgres({
        settings: { ...DURABLE, max_connections: '60' },
        standbyOf: old,
      });
      await old.start();
      const follower = openDatabase(databaseOf(standby));
      await underLoad(async () => {
        await upTo(SECOND);
        await sql`alter system set default_transaction_read_only = on`.execute(site.db);
        await sql`select pg_reload_conf()`.execute(site.db);
        // Transactions that began before may still write.
        const isBehind = async () => {
          const { rows } = await sql<{
            lsn: string;
            writers: number;
          }>`select pg_current_wal_lsn()::text as lsn,
          (select count(*) from pg_stat_activity where backend_xid is not null) as writers`.execute(site.db);
          const { rows: behind } = await sql<{ behind: number }>`
          select pg_last_wal_replay_lsn() < ${rows[0]?.lsn ?? ''}::pg_lsn as behind`.execute(follower);
          return Number(rows[0]?.writers) > 0 || behind[0]?.behind === 1;
        };
        await expect.poll(isBehind).toBe(false);
        await sql`select pg_promote()`.execute(follower);
        await site.moveTo(standby);
        await upTo(SECOND);
        await old.stop();
      });
      await follower.destroy();
    },
  );

  test(
    'a page that is saved at one web process is new at the other one with the next request',
    options,
    async () => {
      const { db, webs } = site;
      const id =
        (await db.selectFrom('users').select('id').where('email', '=', ADMIN_EMAIL).executeTakeFirst())?.id ??
        (await addBetaMember(db, { email: ADMIN_EMAIL }));
      await db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute();
      const { token } = await createSession(db, { accountId: id, userAgent: null, clock: systemClock });
      const read = async ({ url }: Machine) => (await fetch(url)).text();
      let isOver = false;
      const readers = [...webs, ...webs].map(async (web) => {
        while (!isOver) {
          expect(await read(web)).toContain('</html>');
          await sleep(READ_EVERY_MS);
        }
      });
      try {
        for (let save = 0; save < (IS_LONG ? 100 : 15); save += 1) {
          const [here, there] = save % 2 === 0 ? [webs[0], webs[1]] : [webs[1], webs[0]];
          const retailer = `Shop ${save} ${newId().slice(0, 8)}`;
          const response = await fetch(`${here.url}/api/settings/retailers`, {
            method: 'PUT',
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ retailers: [retailer] }),
          });
          expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
          expect(await read(there)).toContain(retailer);
        }
      } finally {
        isOver = true;
      }
      await Promise.all(readers);
    },
  );

  test(
    'a database without a free connection, or whose lock is held, is a 503 with a time to try again, and leaves no connection behind',
    options,
    async () => {
      const [web] = site.webs;
      const member = await addMember(site);
      const consumeMany = (count: number) =>
        Promise.all(Array.from({ length: count }, () => consume(web, member, newId())));
      const statuses = async (count: number) => [
        ...new Set(
          (await consumeMany(count)).map(({ status, retryAfter }) => [status, retryAfter !== null].join(' ')),
        ),
      ];

      const release = await lockDatabase(databaseOf(site.server));
      expect(await statuses(30)).toEqual(['503 true']);
      await release();
      expect(await statuses(1)).toEqual(['200 false']);

      // Takes every connection that the server has, also those that the site's processes lose now.
      const taken: pg.Client[] = [];
      const takeAll = async () => {
        for (;;) {
          const client = new pg.Client(site.server.urlOf('postgres'));
          client.on('error', () => undefined);
          try {
            await client.connect();
          } catch {
            return;
          }
          taken.push(client);
        }
      };
      await takeAll();
      await taken[0]?.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'packwatch'",
      );
      await takeAll();
      try {
        await expect.poll(() => statuses(3)).toEqual(['503 true']);
      } finally {
        await Promise.all(taken.map((client) => client.end()));
      }
      await expect.poll(() => statuses(1)).toEqual(['200 false']);

      const answers = await whileConsuming(site, async () => {
        for (let turn = 0; turn < (IS_LONG ? 200 : 20); turn += 1) {
          await sql`select pg_cancel_backend(pid) from pg_stat_activity
          where application_name = 'packwatch' and state <> 'idle' and pid <> pg_backend_pid()`.execute(
            site.db,
          );
          await upTo(100);
        }
      });
      expect(wrongAnswers(answers)).toEqual([]);
      // Ten for each process, and ten of the test.
      expect((await listConnections()).length).toBeLessThanOrEqual(50);
      await expect.poll(listConnections).not.toContain('idle in transaction');
      await expect.poll(listConnections).not.toContain('idle in transaction (aborted)');
    },
  );
});

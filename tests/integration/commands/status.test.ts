import { statSync, truncateSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { HOUR, MINUTE, toIso } from '#shared/clock';
import { takeCheckLease } from '#shared/monitor/checks/check-lease';
import { writeHeartbeat } from '#shared/monitor/heartbeat';
import { recordFault } from '#shared/payments/payment-faults';
import { startMonitoring } from '#shared/monitor/start-stop';
import { checkNow } from '../../../daemon/cli/monitor-commands/check-now';
import { storeCheck } from '../alerts/finished-check';
import { createDaemonSuite, type DaemonSuite, type TestContext } from '../daemon-suite';
import { usesPostgres } from '../database-faults';

let suite: DaemonSuite;

beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

const TIME = String.raw`\d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d \S+`;
const instance = { id: 'daemon', host: 'elsewhere', bootId: null, pidNamespace: null, pid: 1, startedAt: 0 };

const beat = ({ fixture }: TestContext, redisFault: string | null = null): Promise<void> =>
  writeHeartbeat(fixture.db, { instance, redisFault, now: Date.now() });

/** The first line of `status`, its whole output and its exit code. */
async function status({ runTool }: TestContext) {
  const { code, stdout } = await runTool('monitor', 'status');
  return { code, first: stdout.split('\n')[0] ?? '', stdout };
}

const play = (test: (context: TestContext) => Promise<void>): Promise<void> => suite.run(test, []);

describe('npm run monitor -- status', { timeout: MINUTE }, () => {
  it('puts what is wrong first, marks what is old, and ends with 1; with 0 when nothing is wrong', () =>
    play(async (context) => {
      const { db, clock } = context.fixture;
      expect(await status(context)).toMatchObject({
        code: 1,
        first: expect.stringMatching(
          /^FAULT +The daemon is not running: its last heartbeat was never/,
        ) as string,
      });
      await beat(context);
      const well = await status(context);
      expect([well.code, well.stdout]).toEqual([0, expect.not.stringContaining('FAULT')]);

      await beat(context, 'Redis refuses writes: MISCONF');
      await startMonitoring(db, { actor: { userId: null }, clock });
      const refused = await status(context);
      expect(refused.code).toBe(1);
      expect(refused.first).toMatch(/^FAULT +Redis refuses writes: MISCONF$/);
      expect(refused.stdout).toMatch(/^Next check +none while Redis cannot be used$/m);

      const before = toIso(Date.now() - 3 * HOUR);
      await storeCheck(db, clock, {});
      await db
        .updateTable('watches')
        .set({ last_checked_at: before, last_conclusive_at: before, started_at: before, hours: '0-24' })
        .where('id', '=', DEFAULT_WATCH_ID)
        .execute();
      await beat(context);
      const old = await status(context);
      expect(old.code).toBe(1);
      expect(old.first).toMatch(
        new RegExp(`^FAULT +The last check is old, ${TIME} \\(3 h ago\\): alerts may be`),
      );
      expect(old.stdout).toMatch(/^The shop shows +OLD, seen 3 h ago: /m);
      expect(old.stdout).toMatch(new RegExp(`^Last check +OLD, ${TIME} \\(3 h ago\\)`, 'm'));
      const { stdout } = await context.runTool('monitor', 'status', '--json');
      expect(JSON.parse(stdout)).toMatchObject({
        success: false,
        code: 'monitor_fault',
        message: expect.stringMatching(/^The last check is old/) as string,
        faults: [expect.stringMatching(/^The last check is old/) as string],
      });
    }));

  it('names a webhook that Discord refused, and Redis when no daemon could have asked it', () =>
    play(async (context) => {
      await context.fixture.setWebhook('instant');
      await beat(context);
      await context.fixture.db
        .updateTable('webhooks')
        .set({ state: 'rejected', last_fault: 'Unknown Webhook' })
        .execute();
      expect((await status(context)).first).toMatch(
        /^FAULT +The instant webhook was refused: Unknown Webhook$/,
      );
      await context.fixture.db.deleteFrom('daemon_heartbeats').execute();
      context.fixture.environment.REDIS_URL = 'redis://127.0.0.1:1';
      const { stdout } = await status(context);
      expect(stdout).toMatch(/^FAULT +The daemon is not running.*\nFAULT +Redis does not answer\./);
    }));
});

describe('npm run monitor -- status, of what is not the monitor itself', { timeout: MINUTE }, () => {
  // PostgreSQL looks after its own log.
  it.skipIf(usesPostgres())('names a fault of payments and a write-ahead log that cannot shrink', () =>
    play(async (context) => {
      const { db, file, clock } = context.fixture;
      await beat(context);
      const reason = 'The Stripe key is of another account.';
      await recordFault(db, { fault: 'account', reason, now: clock.now() });
      const log = `${file}-wal`;
      const { size } = statSync(log);
      // A sparse file of this size.
      truncateSync(log, 200 * 1024 ** 2);
      const { code, stdout } = await status(context);
      truncateSync(log, size);
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /^FAULT +The write-ahead log of the database has 200 MB .*\nFAULT +The Stripe key/,
      );
    }),
  );
});

describe('npm run monitor -- check', { timeout: MINUTE }, () => {
  it('says that it waits, and why there is no result', () =>
    play(async (context) => {
      const { db, config, clock } = context.fixture;
      const notes: string[] = [];
      const wait = (redisUrl = config.redisUrl) =>
        checkNow(
          { db, clock },
          { ...config, redisUrl },
          { watchId: DEFAULT_WATCH_ID, note: (line) => notes.push(line), waitMs: 200 },
        ).then(String, (error: unknown) => (error as Error).message);

      expect(await wait()).toBe('Failed to trigger check: the daemon is not running.');
      await beat(context);
      expect(await wait()).toMatch(/^No result after 0\.2 seconds: the daemon has not begun the check/);
      expect(await takeCheckLease(db, { owner: 'another', clock })).not.toBeNull();
      expect(await wait()).toMatch(
        new RegExp(`: a check of this watch has had the lease since ${TIME}, and the shop has not answered`),
      );
      await beat(context, 'Redis refuses writes: MISCONF');
      expect(await wait()).toContain('Redis refuses writes: MISCONF');
      expect(notes).toEqual(Array.from({ length: 4 }, () => 'Waiting for the check, at most 0.2 seconds …'));

      // Accepts the connection and answers nothing.
      const silent = createServer((socket) => void socket.on('error', () => undefined));
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      expect(await wait(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`)).toBe(
        'Failed to trigger check: Redis does not answer.',
      );
      silent.close();
    }));
});

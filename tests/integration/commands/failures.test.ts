import { sql } from 'kysely';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MINUTE } from '#shared/clock';
import { migrateFileDown } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import type { ToolResult } from '../../../daemon/cli/terminal';
import { freePort } from '../../free-port';
import { bundlePrograms } from '../bundled-programs';
import { RUN_TOOL, startChild } from '../child-process';
import { createDaemonSuite, type TestContext, type DaemonSuite } from '../daemon-suite';
import { usesPostgres } from '../database-faults';

let suite: DaemonSuite;

beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

const failure = z.strictObject({ success: z.literal(false), code: z.string(), message: z.string() });

/** Expects a sentence on stderr, one JSON object as the last line of stdout, and no stack trace. */
function expectFailure(
  { code, stdout, stderr }: ToolResult,
  expected: { code: string; sentence: RegExp; exit?: number },
): void {
  expect(code).toBe(expected.exit ?? 1);
  expect(stderr).toMatch(expected.sentence);
  expect(stderr).not.toMatch(/^\s+at /m);
  const last = failure.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''));
  expect(last.code).toBe(expected.code);
  expect(last.message).toMatch(expected.sentence);
}

/** One command of each tool that needs a current database; all commands of a tool open it alike. */
const NEED_A_DATABASE = [
  ['monitor', 'status'],
  ['admin', 'list'],
  ['seed'],
  ['packages', 'list'],
  ['payments', 'events'],
  ['uploads', 'orphans'],
] as const;

async function eachFails(context: TestContext, expected: { code: string; sentence: RegExp }): Promise<void> {
  for (const [tool, ...args] of NEED_A_DATABASE)
    expectFailure(await context.runTool(tool, ...args, '--json'), expected);
}

const play = (test: (context: TestContext) => Promise<void>): Promise<void> => suite.run(test, []);

/** Runs `start:daemon` with the fixture's environment until it exits. */
async function runDaemon({ fixture, program }: TestContext, port: number) {
  const child = startChild([program], {
    ...fixture.environment,
    DAEMON_PORT: String(port),
    LOG_LEVEL: 'info',
  });
  const { code } = await child.ended;
  return { code, stdout: child.stdout(), stderr: child.stderr() };
}

async function expectDaemonRefuses(context: TestContext, sentence: RegExp): Promise<void> {
  const answer = await runDaemon(context, await freePort());
  expect(answer.code).toBe(1);
  expect(answer.stderr).toMatch(sentence);
  expect(answer.stderr.trimEnd().split('\n')).toHaveLength(1);
}

describe.concurrent(
  'with --json a failure prints one sentence and one object',
  { timeout: 2 * MINUTE },
  () => {
    // A file.
    it.skipIf(usesPostgres())('when there is no database, which only migrate creates', () =>
      play(async (context) => {
        const nowhere = join(context.fixture.folder, 'nothing-here');
        Object.assign(context.fixture.environment, { DATA_DIR: nowhere });
        const sentence = /^There is no database at .*nothing-here\/packwatch\.db yet\./;
        await eachFails(context, { code: 'database_missing', sentence });
        expectFailure(await context.runTool('backup', join(context.fixture.folder, 'copy.db'), '--json'), {
          code: 'database_missing',
          sentence,
        });
        await expectDaemonRefuses(context, sentence);
        expect(existsSync(nowhere)).toBe(false);
      }),
    );

    // PostgreSQL reverts no migration.
    it.skipIf(usesPostgres())('when the database is not migrated', () =>
      play(async (context) => {
        await migrateFileDown(context.fixture.file, migrations);
        const sentence = /^The database at .* is older than this release\. Run: npm run migrate/;
        await eachFails(context, { code: 'database_unmigrated', sentence });
        await expectDaemonRefuses(context, sentence);
      }),
    );

    it('when the database is newer', () =>
      play(async (context) => {
        await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(
          context.fixture.db,
        );
        const expected = {
          code: 'database_newer',
          sentence:
            /^The database knows migrations that this release does not: 9999-later\. Start the newer release/,
        };
        await eachFails(context, expected);
        expectFailure(await context.runTool('migrate', '--json'), expected);
        if (!usesPostgres()) expectFailure(await context.runTool('migrate', 'down', '--json'), expected);
        await expectDaemonRefuses(context, expected.sentence);
      }));

    // A file.
    it.skipIf(usesPostgres())('when the file is not a database, or its folder cannot be created', () =>
      play(async (context) => {
        const folder = join(context.fixture.folder, 'odd');
        mkdirSync(folder);
        writeFileSync(join(folder, 'packwatch.db'), 'This is a letter, not a database. '.repeat(100));
        Object.assign(context.fixture.environment, { DATA_DIR: folder });
        const expected = {
          code: 'database_unusable',
          sentence: /^The database file is not an SQLite database\./,
        };
        await eachFails(context, expected);
        expectFailure(await context.runTool('migrate', '--json'), expected);
        await expectDaemonRefuses(context, expected.sentence);

        Object.assign(context.fixture.environment, { DATA_DIR: join(folder, 'packwatch.db', 'below') });
        expectFailure(await context.runTool('migrate', '--json'), {
          code: 'file_unusable',
          sentence: /packwatch\.db\/below cannot be used: a part of the path is not a folder\./,
        });
      }),
    );

    it('when Redis is missing', () =>
      play(async (context) => {
        await context.startDaemon();
        Object.assign(context.fixture.environment, {
          REDIS_URL: `unix://${context.fixture.folder}/nowhere.sock`,
        });
        expectFailure(await context.runTool('monitor', 'check', '--json'), {
          code: 'check_failed',
          sentence: /^Failed to trigger check: Redis does not answer\.$/m,
        });
        // Starting needs no Redis; the output says that the scheduler follows later.
        const started = await context.runTool('monitor', 'start');
        expect(started).toMatchObject({ code: 0, stderr: '' });
        expect(started.stdout).toContain(
          'Redis does not answer: the daemon applies the change once Redis is back.',
        );
      }));

    it('when its arguments or the environment are invalid', () =>
      play(async (context) => {
        for (const [tool, ...args] of [
          ['monitor', 'dance'],
          ['monitor', 'status', '--loud'],
          ['admin', 'grant', 'nonsense'],
          ['payments', 'retry'],
          ['payments', 'show', 'nonsense'],
          ['payments', 'events', '--limit', '0'],
          ['migrate', 'sideways'],
          ['backup'],
          ['backup', '--loud'],
          ['seed', 'dance'],
        ] as const)
          expectFailure(await context.runTool(tool, ...args, '--json'), {
            code: 'wrong_use',
            sentence: /Use: npm run |There is no command |Unknown option |--limit is a whole number /,
            exit: 2,
          });
        Object.assign(context.fixture.environment, { PORT: 'eighty' });
        for (const [tool, ...args] of [
          ...NEED_A_DATABASE,
          ['migrate'] as const,
          ['backup', 'copy.db'] as const,
        ])
          expectFailure(await context.runTool(tool, ...args, '--json'), {
            code: 'invalid_configuration',
            sentence: /PORT must be a port number/,
          });
      }));

    // Its backup is a file of SQLite.
    it.skipIf(usesPostgres())('and a success is one object as well', () =>
      play(async (context) => {
        const copy = join(context.fixture.folder, 'copy.db');
        for (const [tool, ...args] of [
          ['migrate'],
          ['seed'],
          ['admin', 'list'],
          ['backup', copy],
          ['monitor', 'settings'],
        ] as const) {
          const answer = await context.runTool(tool, ...args, '--json');
          expect(answer).toMatchObject({ code: 0, stderr: '' });
          expect(JSON.parse(answer.stdout)).toMatchObject({ success: true });
        }
        expect(readFileSync(copy).subarray(0, 15).toString()).toBe('SQLite format 3');
        rmSync(copy);
      }),
    );
  },
);

describe('the process of a command', { timeout: 2 * MINUTE }, () => {
  it.each([
    ['of a success', ['list', '--json'], { code: 0, stdout: '{"success":true,"admins":[]}\n', stderr: '' }],
    ['of a refusal', ['grant', 'nobody@packwatch.test'], { code: 1, stdout: '' }],
    ['of wrong use', ['dance'], { code: 2, stdout: '' }],
  ])('prints the output and has the exit code %s', (_name, args, expected) =>
    play(async ({ fixture, runTool }) => {
      const programs = await bundlePrograms(['daemon/cli/admin.ts']);
      const child = startChild([RUN_TOOL, programs.fileOf('daemon/cli/admin.ts'), ...args], {
        ...fixture.environment,
      });
      const { code } = await child.ended;
      const printed = { code, stdout: child.stdout(), stderr: child.stderr() };
      expect(printed).toMatchObject(expected);
      expect(printed).toEqual(await runTool('admin', ...args));
    }),
  );
});

describe('a daemon whose port is taken', { timeout: 2 * MINUTE }, () => {
  it('reports it in one sentence and exits before it takes any work', () =>
    play(async (context) => {
      const port = await freePort();
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
      try {
        const { code, stderr } = await runDaemon(context, port);
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: `Port ${port} is in use by another program. End that program, or set DAEMON_PORT to a free port.\n`,
        });
        expect(await context.fixture.db.selectFrom('daemon_heartbeats').select('id').execute()).toEqual([]);
      } finally {
        other.close();
      }
    }));

  it('a daemon without Redis reports it in one line and waits', () =>
    play(async (context) => {
      Object.assign(context.fixture.environment, {
        REDIS_URL: `unix://${context.fixture.folder}/nowhere.sock`,
      });
      const port = await freePort();
      const child = startChild([context.program], {
        ...context.fixture.environment,
        DAEMON_PORT: String(port),
        LOG_LEVEL: 'info',
      });
      try {
        await expect.poll(() => child.stdout()).toContain('Redis is offline');
        await expect.poll(() => child.stdout()).toContain('the daemon runs');
        expect(child.stdout().match(/Redis is offline/g)).toHaveLength(1);
        expect(child.stdout() + child.stderr()).not.toMatch(/"stack"|^\s+at /m);
      } finally {
        await child.kill('SIGKILL');
      }
    }));
});

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SELDOM_COLLECTING } from './scripts/project.mjs';

/**
 * More workers than cores, because most of these tests wait longer than they compute. With one number for all projects their
 * files run side by side.
 */
const MAX_WORKERS = 5;

/** Unit tests of seconds each, which measure time or make thousands of inputs: `npm run validate` leaves them out. */
const LONG_TESTS = [
  'tests/unit/article-html.test.ts',
  'tests/unit/linear-time/*.test.ts',
  'tests/unit/waiting-room/judge-{fuzz,hostile,load}.test.ts',
];

/**
 * Files that take a minute or more, and mostly wait. They begin first, beside what computes: Vitest takes one project after
 * the other, in the order of their names, and in it the largest file first, so that one of these could be the last of all.
 */
const LONG_WAITS = ['crash', 'clock-steps', 'shutdown'].map((name) => `daemon/${name}.test.ts`);

class LongWaitsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG_WAITS.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Waits for a state end with the state. The limit is far above what anything takes: Vitest's is one second. */
const expectations = { poll: { timeout: 120_000, interval: 40 } };

/**
 * The integration tests that run on PostgreSQL as well: its locks, types and constraints decide in them. Each takes two to six
 * seconds of processor time; `npm test -- --database postgres` runs the others.
 */
const WHERE_THE_ENGINE_DECIDES = [
  'tests/integration/accounts/codes.test.ts',
  'tests/integration/alerts/delivery-actions.test.ts',
  'tests/integration/api/tokens.test.ts',
  'tests/integration/monitor/{check-lease,product-checks}.test.ts',
  'tests/integration/payments/{consume-contention,payment-events}.test.ts',
  'tests/integration/releases/uploads-elsewhere.test.ts',
  'tests/integration/schema/{prepare-query,stored-text}.test.ts',
];

/** What only PostgreSQL shows. */
const ON_POSTGRES_ALONE = ['tests/integration/postgres/**/*.test.ts'];

/** Web processes and daemons from build/ on PostgreSQL. */
const SEVERAL_MACHINES = ['tests/integration/several-machines/**/*.test.ts'];

/** What no PostgreSQL has: these files are left out of `npm test -- --database postgres`, which runs all others. */
const OF_SQLITE_ALONE = [
  // Its write-ahead log, free pages and query plans.
  'tests/integration/daemon/{checkpoint,row-lives}.test.ts',
  'tests/integration/monitor/monitor-storage.test.ts',
  'tests/integration/schema/partial-indexes.test.ts',
  // Copies of its file.
  'tests/integration/commands/restore.test.ts',
  'tests/integration/payments/restored-backup.test.ts',
  'tests/integration/schema/backups.test.ts',
  // Its migrations from one release to the next, which PostgreSQL has never seen.
  'tests/integration/schema/{migrations,accounts-migration,outbox-statuses-migration,watches-migration}.test.ts',
];

const alias = { '~': fileURLToPath(new URL('./app', import.meta.url)) };

const integration = {
  // Each file opens and closes its own database, Redis keys and servers.
  isolate: false,
  execArgv: SELDOM_COLLECTING,
  globalSetup: ['tests/integration/global-setup.ts'],
  maxWorkers: MAX_WORKERS,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: expectations,
};

const unit = {
  // These tests share no state, so the files of a worker evaluate their common modules once: half the CPU time.
  isolate: false,
  execArgv: SELDOM_COLLECTING,
  maxWorkers: MAX_WORKERS,
  // Generous, so that no test fails on a busy machine.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: expectations,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongWaitsFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          ...unit,
          name: 'unit',
          include: [
            '{app,daemon,shared,migrations,scripts}/**/*.test.{ts,tsx,mjs}',
            'tests/unit/**/*.test.ts',
          ],
          exclude: LONG_TESTS,
        },
      },
      { resolve: { alias }, test: { ...unit, name: 'long', include: LONG_TESTS } },
      'sandbox',
      {
        resolve: { alias },
        test: {
          ...integration,
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: [...ON_POSTGRES_ALONE, ...SEVERAL_MACHINES],
        },
      },
      {
        resolve: { alias },
        test: {
          ...integration,
          name: 'postgres',
          include: [...ON_POSTGRES_ALONE, ...WHERE_THE_ENGINE_DECIDES],
        },
      },
      {
        resolve: { alias },
        test: { ...integration, name: 'machines-on-postgres', include: SEVERAL_MACHINES },
      },
      {
        resolve: { alias },
        // `npm test -- --database postgres`
        test: {
          ...integration,
          name: 'all-on-postgres',
          include: ['tests/integration/**/*.test.ts'],
          exclude: OF_SQLITE_ALONE,
        },
      },
      {
        // `npm test` without --node runs these after it has fetched the other Node releases.
        test: {
          name: 'node-versions',
          include: ['tests/node-versions/**/*.test.ts'],
          maxWorkers: MAX_WORKERS,
        },
      },
    ],
  },
});

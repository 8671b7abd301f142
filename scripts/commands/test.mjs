/**
 * `npm test`: set-up, then every check and test. The last line is the sum of all results. It runs on Node 24;
 * `npm test -- --node 22` (or 24, 26) runs it on that Node only and does not try the others. `npm test -- NAME…` runs only
 * the test files whose path contains a NAME, and no checks. In a whole run a failed test is repeated once: what then passes
 * is printed as unstable, with its error, and does not fail the run. `npm test -- --database postgres` runs the integration
 * tests on PostgreSQL, also those that `npm test` runs on SQLite alone, and nothing else; NAMEs narrow it down as well.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '../setup/browser.mjs';
import { ensureBuilt } from '../build/ensure-built.mjs';
import { CHECKS, installed, testEnvironment } from './checks.mjs';
import { readArguments, runCommand } from './run-command.mjs';
import { ensureDependencies } from '../setup/dependencies.mjs';
import { startPrivateRedis } from '../processes/private-redis.mjs';
import { formatDuration } from './progress.mjs';
import { findNodeRelease } from '../setup/node-program.mjs';
import { NODE_RELEASES, OLD_RELEASE } from '../setup/node-version.mjs';
import { SELDOM_COLLECTING } from '../project.mjs';
import { SetupFault, describeFault } from '../setup/setup-fault.mjs';
import { addResults, repeatFailedFiles, sumPlaywright, sumVitest } from './test-results.mjs';

const PASSED = { passed: 1, failed: 0 };
const CHECK_LINES = 1_000;
// The checks use what the build and the tests leave of the processors.
const CHECKS_NICENESS = '10';
// Time for interrupted browser tests to stop the stack that they started.
const TEARDOWN_MS = 10_000;
// Time for the remaining output of a test runner that has ended.
const DRAIN_MS = 2_000;
const FAILED = { passed: 0, failed: 1 };
// Above this a fault is common, and no matter of one test's timing.
const MAX_REPEATED_FILES = 3;

await runCommand(
  async ({ processes, reporter, stopped, atEnd }) => {
    const { values: options, positionals: names } = readArguments({
      node: { type: 'string' },
      database: { type: 'string' },
    });
    const isOnPostgres = options.database !== undefined;
    if (isOnPostgres && options.database !== 'postgres')
      throw new SetupFault(`--database is postgres, not ${options.database}.`);
    const isWhole = names.length === 0 && !isOnPostgres;
    const isOneNode = options.node !== undefined || !isWhole;
    const folder = mkdtempSync(join(tmpdir(), 'packwatch-test-'));
    atEnd(() => rmSync(folder, { recursive: true, force: true }));
    // Hundreds of processes start with the same code: a third of the processor time of a start is to compile it.
    const environment = { ...testEnvironment(), NODE_COMPILE_CACHE: join(folder, 'compiled') };
    const results = [];
    let testsRun = 0;

    /** Runs a step and records its result. An error counts as a failure and does not stop the other steps. */
    async function step(name, work) {
      const started = Date.now();
      let result = FAILED;
      try {
        result = addResults([await work()].flat());
      } catch (error) {
        if (!stopped.aborted) reporter.print(describeFault(error));
      }
      stopped.throwIfAborted();
      results.push(result);
      const sign = result.failed === 0 ? '✓' : '✗';
      reporter.print(
        `${sign} ${name}: ${result.passed} passed, ${result.failed} failed (${formatDuration(Date.now() - started)})\n`,
      );
      return result.failed === 0;
    }

    async function check(name, args) {
      const command = ['-n', CHECKS_NICENESS, process.execPath, ...args];
      const { ok, output } = await processes.run('nice', command, {
        env: environment,
        lastLines: CHECK_LINES,
      });
      if (ok) return PASSED;
      reporter.print(`${output}\n✗ ${name}`);
      return { ...FAILED, failures: [name] };
    }

    /** Runs a test runner, whose workers take over the options of Node. Prints whole lines only, because another runner writes at the same time. */
    async function runTests(args, env, reportFile, sum, files = names) {
      const child = processes.start(process.execPath, [...SELDOM_COLLECTING, ...args, ...files], { env });
      const shown = [child.stdout, child.stderr].map((stream) => {
        const lines = createInterface({ input: stream });
        lines.on('line', (line) => reporter.print(line));
        return once(lines, 'close');
      });
      const { code } = await child.ended;
      // A process that outlives the runner can keep its output open.
      await Promise.race([Promise.all(shown), sleep(DRAIN_MS, null, { ref: false })]);
      const result = sum(readReport(reportFile), code === 0);
      testsRun += result.passed + result.failed;
      return result;
    }

    /** Paths of the other supported Node releases and of one that is too old, by version. */
    async function findOtherNodes() {
      const own = process.versions.node.split('.')[0];
      const others = Object.entries(NODE_RELEASES).flatMap(([major, version]) =>
        major === own ? [] : [version],
      );
      const find = async (versions) =>
        Object.fromEntries(
          await Promise.all(
            versions.map(async (version) => [
              version,
              await findNodeRelease(version, { processes, reporter }),
            ]),
          ),
        );
      return { supported: await find(others), old: await find([OLD_RELEASE]) };
    }

    reporter.print(`• Node ${process.versions.node}`);
    let redis = null;
    let browser = null;
    let nodes = null;
    const prepare = (name, work) =>
      step(name, async () => {
        await work();
        return PASSED;
      });
    const runChecks = () =>
      step(Object.keys(CHECKS).join(', '), () =>
        Promise.all(Object.entries(CHECKS).map(([name, args]) => check(name, args))),
      );
    // The checks need only the dependencies, and run beside the tests.
    let checked = Promise.resolve(true);
    // In parallel: most of it waits for the network or the disk.
    const [isInstalled] = await Promise.all([
      prepare('dependencies', () => ensureDependencies({ processes, reporter })),
      prepare('Redis', async () => {
        redis = await startPrivateRedis({ directory: folder, processes, reporter });
      }),
      ...(isOnPostgres
        ? []
        : [
            prepare('browser', async () => {
              browser = await findBrowser({ processes, reporter });
            }),
          ]),
    ]);
    if (isInstalled && redis !== null) {
      if (isWhole) {
        checked = runChecks();
        // Awaited after the tests: a stop before that is reported by them.
        checked.catch(() => {});
      }
      const env = { ...environment, REDIS_URL: redis.url };
      const build = () =>
        prepare('build', () => ensureBuilt(['web', 'daemon', 'sandbox'], { processes, reporter }));
      const findNodes = () =>
        prepare('other Nodes', async () => {
          nodes = await findOtherNodes();
        });
      const testWithoutBrowser = (name, projects, variables = {}) =>
        step(name, async () => {
          const argumentsFor = (report) => [
            installed('vitest', 'vitest.mjs'),
            'run',
            ...projects.map((project) => `--project=${project}`),
            '--reporter=default',
            '--reporter=json',
            `--outputFile.json=${report}`,
            ...(isWhole ? [] : ['--passWithNoTests']),
          ];
          const run = (attempt, files) => {
            const report = join(folder, `${projects[0]}-${attempt}.json`);
            return runTests(argumentsFor(report), { ...env, ...variables }, report, sumVitest, files);
          };
          const first = await run('first');
          const failed = first.failedFiles.map((file) => file.name);
          if (!isWhole || failed.length === 0 || failed.length > MAX_REPEATED_FILES) return first;
          reporter.print(`• Once more: ${failed.join(', ')}`);
          return repeatFailedFiles(first, await run('repeated', failed));
        });
      const testInBrowser = () =>
        step('end-to-end tests', () => {
          const report = join(folder, 'playwright.json');
          const args = [
            installed('playwright', 'cli.js'),
            'test',
            '--reporter=list,json',
            ...(isWhole ? ['--retries=1'] : []),
            ...(isWhole ? [] : ['--pass-with-no-tests']),
          ];
          const variables = { PACKWATCH_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
          return runTests(args, { ...env, ...variables }, report, sumPlaywright);
        });
      const testTheBuild = async () => {
        await Promise.all([build(), ...(isOneNode ? [] : [findNodes()])]);
        const machines = isOnPostgres ? 'all-on-postgres' : 'machines-on-postgres';
        const projects = [machines, ...(nodes === null ? [] : ['node-versions'])];
        const variables = nodes === null ? {} : { PACKWATCH_OTHER_NODES: JSON.stringify(nodes) };
        await Promise.all([
          testWithoutBrowser('tests of built processes', projects, variables),
          ...(browser === null ? [] : [testInBrowser()]),
        ]);
      };
      // The other tests need no build. In parallel: while some wait, the others use the processors.
      const others = isOnPostgres ? [] : ['unit', 'long', 'sandbox', 'integration', 'postgres'];
      await Promise.all([
        testTheBuild(),
        ...(others.length === 0 ? [] : [testWithoutBrowser('unit and integration tests', others)]),
      ]);
      if (testsRun === 0) await step(`test files with ${names.join(' or ')} in their path`, () => FAILED);
      await redis.stop();
    }
    await checked;

    const { passed, failed, failures, unstable } = addResults(results);
    if (unstable.length > 0)
      reporter.print(`Unstable (failed, then passed when repeated):\n\n${unstable.join('\n\n')}\n`);
    // Repeats all failures at the end, where they are easy to find.
    if (failures.length > 0) reporter.print(`Failed:\n\n${failures.join('\n\n')}\n`);
    reporter.print(`${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  },
  { graceMs: TEARDOWN_MS },
);

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

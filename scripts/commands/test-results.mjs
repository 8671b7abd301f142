/**
 * Sums of the test runners' reports: `{ passed, failed, failures }`. A skipped test does not count. `failures` holds one
 * text per failed test: its name, then the report's reason.
 */

const REASON_LINES = 25;

/**
 * Sums Vitest's JSON report (null: the runner wrote none). A file that cannot be loaded has no tests, and an error outside
 * the tests is only visible in the exit code; each counts as one failure.
 */
export function sumVitest(report, exitedCleanly) {
  if (report === null) return { passed: 0, failed: 1, failures: [] };
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failures = [
    ...report.testResults.flatMap((file) =>
      file.assertionResults
        .filter((test) => test.status === 'failed')
        .map((test) => failure(`${file.name} > ${test.fullName}`, test.failureMessages)),
    ),
    ...broken.map((file) => failure(file.name, [file.message])),
  ];
  return atLeastOneFailure(
    { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, failures },
    exitedCleanly,
  );
}

/** Sums Playwright's JSON report (null: the runner wrote none). A flaky test has passed; errors outside tests count as failures. */
export function sumPlaywright(report, exitedCleanly) {
  if (report === null) return { passed: 0, failed: 1, failures: [] };
  const { expected, flaky, unexpected } = report.stats;
  const failures = [
    ...report.suites.flatMap(failedSpecs),
    ...report.errors.map((error) => failure('outside of any test', [error.message])),
  ];
  return atLeastOneFailure(
    { passed: expected + flaky, failed: unexpected + report.errors.length, failures },
    exitedCleanly,
  );
}

export function addResults(results) {
  return results.reduce(
    (sum, { passed, failed, failures = [] }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      failures: [...sum.failures, ...failures],
    }),
    { passed: 0, failed: 0, failures: [] },
  );
}

function failedSpecs(suite) {
  const own = suite.specs.flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'unexpected')
      .map((test) =>
        failure(
          `${spec.file}:${spec.line} [${test.projectName}] > ${spec.title}`,
          (test.results.at(-1)?.errors ?? []).map((error) => error.message),
        ),
      ),
  );
  return [...own, ...(suite.suites ?? []).flatMap(failedSpecs)];
}

function failure(name, messages) {
  const reason = (messages ?? []).filter(Boolean).join('\n').trimEnd();
  const lines = reason === '' ? [] : reason.split('\n');
  return [name, ...lines.slice(0, REASON_LINES).map((line) => `    ${line}`)].join('\n');
}

function atLeastOneFailure({ passed, failed, failures }, exitedCleanly) {
  return { passed, failed: exitedCleanly ? failed : Math.max(failed, 1), failures };
}

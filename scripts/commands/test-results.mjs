/**
 * Sums of the test runners' reports: `{ passed, failed, failures, unstable }`. A skipped test does not count. `failures` holds
 * one text per failed test: its name, then the report's reason. `unstable` holds the same for tests that failed and then
 * passed when they were repeated; they count as passed.
 */

const REASON_LINES = 25;

/**
 * Sums Vitest's JSON report (null: the runner wrote none). A file that cannot be loaded has no tests, and an error outside
 * the tests is only visible in the exit code; each counts as one failure.
 */
export function sumVitest(report, exitedCleanly) {
  if (report === null) return { passed: 0, failed: 1, failures: [], failedFiles: [] };
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
  const failedFiles = report.testResults
    .filter((file) => file.status === 'failed')
    .map((file) => ({
      name: file.name,
      passed: file.assertionResults.filter((test) => test.status === 'passed').length,
    }));
  return {
    ...atLeastOneFailure(
      { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, failures },
      exitedCleanly,
    ),
    failedFiles,
  };
}

/**
 * The result of a run of Vitest whose failed files were run once more. The tests of those files count as in their second
 * run; if all pass in it, the failures of the first are unstable.
 */
export function repeatFailedFiles(first, second) {
  if (second.failed > 0) return { ...first, failures: [...first.failures, ...second.failures] };
  const passedBefore = first.failedFiles.reduce((sum, file) => sum + file.passed, 0);
  return {
    passed: first.passed - passedBefore + second.passed,
    failed: 0,
    failures: [],
    unstable: first.failures,
  };
}

/** Sums Playwright's JSON report (null: the runner wrote none). Errors outside tests count as failures. */
export function sumPlaywright(report, exitedCleanly) {
  if (report === null) return { passed: 0, failed: 1, failures: [] };
  const { expected, flaky, unexpected } = report.stats;
  const unstable = report.suites.flatMap((suite) => specsWith('flaky', suite));
  const failures = [
    ...report.suites.flatMap((suite) => specsWith('unexpected', suite)),
    ...report.errors.map((error) => failure('outside of any test', [error.message])),
  ];
  return atLeastOneFailure(
    { passed: expected + flaky, failed: unexpected + report.errors.length, failures, unstable },
    exitedCleanly,
  );
}

export function addResults(results) {
  return results.reduce(
    (sum, { passed, failed, failures = [], unstable = [] }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      failures: [...sum.failures, ...failures],
      unstable: [...sum.unstable, ...unstable],
    }),
    { passed: 0, failed: 0, failures: [], unstable: [] },
  );
}

/** The tests of a status, each with the error of its last failed attempt. */
function specsWith(status, suite) {
  const own = suite.specs.flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === status)
      .map((test) =>
        failure(
          `${spec.file}:${spec.line} [${test.projectName}] > ${spec.title}`,
          (test.results.findLast(({ errors }) => errors.length > 0)?.errors ?? []).map(
            ({ message }) => message,
          ),
        ),
      ),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => specsWith(status, inner))];
}

function failure(name, messages) {
  const reason = (messages ?? []).filter(Boolean).join('\n').trimEnd();
  const lines = reason === '' ? [] : reason.split('\n');
  return [name, ...lines.slice(0, REASON_LINES).map((line) => `    ${line}`)].join('\n');
}

function atLeastOneFailure(result, exitedCleanly) {
  return { ...result, failed: exitedCleanly ? result.failed : Math.max(result.failed, 1) };
}

/**
 * Sums of the test runners' own reports: `{ passed, failed, failures }`. A skipped test counts as neither. `failures`:
 * one text for each that failed: its name, then the reason that the report gives.
 */

const REASON_LINES = 25;

/**
 * From Vitest's JSON report (null: none was written). A file that could not be loaded has no tests to count,
 * and an error outside any test shows in the exit code alone; each counts as one failure.
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

/** From Playwright's JSON report (null: none was written). A flaky test did pass; errors outside tests count. */
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
  const ofThis = suite.specs.flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'unexpected')
      .map((test) =>
        failure(
          `${spec.file}:${spec.line} [${test.projectName}] > ${spec.title}`,
          (test.results.at(-1)?.errors ?? []).map((error) => error.message),
        ),
      ),
  );
  return [...ofThis, ...(suite.suites ?? []).flatMap(failedSpecs)];
}

function failure(name, messages) {
  const reason = (messages ?? []).filter(Boolean).join('\n').trimEnd();
  const lines = reason === '' ? [] : reason.split('\n');
  return [name, ...lines.slice(0, REASON_LINES).map((line) => `    ${line}`)].join('\n');
}

function atLeastOneFailure({ passed, failed, failures }, exitedCleanly) {
  return { passed, failed: exitedCleanly ? failed : Math.max(failed, 1), failures };
}

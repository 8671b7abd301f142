/** Sums of the test runners' own reports: `{ passed, failed }`. A skipped test counts as neither. */

/**
 * From Vitest's JSON report (null: none was written). A file that could not be loaded has no tests to count,
 * and an error outside any test shows in the exit code alone; each counts as one failure.
 */
export function sumVitest(report, exitedCleanly) {
  if (report === null) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  return atLeastOneFailure(
    { passed: report.numPassedTests, failed: report.numFailedTests + broken.length },
    exitedCleanly,
  );
}

/** From Playwright's JSON report (null: none was written). A flaky test did pass; errors outside tests count. */
export function sumPlaywright(report, exitedCleanly) {
  if (report === null) return { passed: 0, failed: 1 };
  const { expected, flaky, unexpected } = report.stats;
  return atLeastOneFailure(
    { passed: expected + flaky, failed: unexpected + report.errors.length },
    exitedCleanly,
  );
}

export function addResults(results) {
  return results.reduce(
    (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
    { passed: 0, failed: 0 },
  );
}

function atLeastOneFailure({ passed, failed }, exitedCleanly) {
  return { passed, failed: exitedCleanly ? failed : Math.max(failed, 1) };
}

import { describe, expect, it } from 'vitest';
import { addResults, sumPlaywright, sumVitest } from './test-results.mjs';

const file = (status, ...tests) => ({
  status,
  assertionResults: tests.map((result) => ({ status: result })),
});

describe('the sum of a Vitest run', () => {
  it('counts tests, not files', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed')],
    };
    expect(sumVitest(report, false)).toEqual({ passed: 3, failed: 1 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const report = {
      numPassedTests: 1,
      numFailedTests: 0,
      testResults: [file('passed', 'passed'), file('failed')],
    };
    expect(sumVitest(report, false)).toEqual({ passed: 1, failed: 1 });
  });

  it('counts an error outside every test as a failure', () => {
    const report = { numPassedTests: 1, numFailedTests: 0, testResults: [file('passed', 'passed')] };
    expect(sumVitest(report, false)).toEqual({ passed: 1, failed: 1 });
  });

  it('is a failure when no report was written', () => {
    expect(sumVitest(null, true)).toEqual({ passed: 0, failed: 1 });
  });
});

describe('the sum of a Playwright run', () => {
  it('counts a flaky test as passed and leaves a skipped one out', () => {
    expect(
      sumPlaywright({ stats: { expected: 4, flaky: 1, unexpected: 0, skipped: 2 }, errors: [] }, true),
    ).toEqual({ passed: 5, failed: 0 });
  });

  it('counts an error of the global set-up', () => {
    expect(
      sumPlaywright(
        { stats: { expected: 0, flaky: 0, unexpected: 0, skipped: 0 }, errors: [{ message: 'no' }] },
        false,
      ),
    ).toEqual({ passed: 0, failed: 1 });
  });
});

it('adds results of several runners', () => {
  expect(
    addResults([
      { passed: 1, failed: 0 },
      { passed: 2, failed: 3 },
    ]),
  ).toEqual({ passed: 3, failed: 3 });
});

import { describe, expect, it } from 'vitest';
import { addResults, repeatFailedFiles, sumPlaywright, sumVitest } from './test-results.mjs';

const file = (status, ...tests) => ({
  status,
  name: 'some.test.ts',
  assertionResults: tests.map((result) => ({
    status: result,
    fullName: `it ${result}`,
    failureMessages: result === 'failed' ? ['Error: no\n    at some.test.ts:1'] : [],
  })),
});

describe('the result of a Vitest run', () => {
  it('counts tests, not files', () => {
    const report = {
      numPassedTests: 3,
      numFailedTests: 1,
      testResults: [file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed')],
    };
    expect(sumVitest(report, false)).toMatchObject({
      passed: 3,
      failed: 1,
      failures: ['some.test.ts > it failed\n    Error: no\n        at some.test.ts:1'],
    });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const report = {
      numPassedTests: 1,
      numFailedTests: 0,
      testResults: [file('passed', 'passed'), { ...file('failed'), message: 'Cannot find it' }],
    };
    expect(sumVitest(report, false)).toMatchObject({
      passed: 1,
      failed: 1,
      failures: ['some.test.ts\n    Cannot find it'],
    });
  });

  it('counts an error outside every test as a failure', () => {
    const report = { numPassedTests: 1, numFailedTests: 0, testResults: [file('passed', 'passed')] };
    expect(sumVitest(report, false)).toMatchObject({ passed: 1, failed: 1, failures: [] });
  });

  it('is a failure when no report was written', () => {
    expect(sumVitest(null, true)).toMatchObject({ passed: 0, failed: 1, failures: [] });
  });

  describe('whose failed file was run once more', () => {
    const first = sumVitest(
      {
        numPassedTests: 3,
        numFailedTests: 1,
        testResults: [file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed')],
      },
      false,
    );

    it('passes if the file passes, and names the test that failed before', () => {
      const second = sumVitest(
        { numPassedTests: 2, numFailedTests: 0, testResults: [file('passed', 'passed', 'passed')] },
        true,
      );
      expect(repeatFailedFiles(first, second)).toEqual({
        passed: 4,
        failed: 0,
        failures: [],
        unstable: first.failures,
      });
    });

    it('stays a failure if the file fails again', () => {
      const second = sumVitest(
        { numPassedTests: 1, numFailedTests: 1, testResults: [file('failed', 'passed', 'failed')] },
        false,
      );
      expect(repeatFailedFiles(first, second)).toMatchObject({
        passed: 3,
        failed: 1,
        failures: [...first.failures, ...second.failures],
      });
    });

    it('stays a failure if the second run ended early', () => {
      expect(repeatFailedFiles(first, sumVitest(null, false))).toMatchObject({ passed: 3, failed: 1 });
    });
  });
});

const playwright = (stats, more = {}) => ({
  stats: { expected: 0, flaky: 0, unexpected: 0, skipped: 0, ...stats },
  suites: [],
  errors: [],
  ...more,
});

describe('the result of a Playwright run', () => {
  it('counts a flaky test as passed and leaves a skipped one out', () => {
    const report = playwright({ expected: 4, flaky: 1, skipped: 2 });
    expect(sumPlaywright(report, true)).toMatchObject({ passed: 5, failed: 0, failures: [] });
  });

  it('counts an error of the global setup', () => {
    expect(sumPlaywright(playwright({}, { errors: [{ message: 'no' }] }), false)).toMatchObject({
      passed: 0,
      failed: 1,
      failures: ['outside of any test\n    no'],
    });
  });

  it('lists failed tests at any depth, with the error of the last attempt', () => {
    const test = (status, ...messages) => ({
      projectName: 'chromium',
      status,
      results: messages.map((message) => ({ errors: [{ message }] })),
    });
    const spec = (title, ...tests) => ({ title, file: 'some.spec.ts', line: 7, tests });
    const suites = [
      {
        specs: [
          spec('is fine', test('expected')),
          spec('is flaky', {
            ...test('flaky', 'late'),
            results: [{ errors: [{ message: 'late' }] }, { errors: [] }],
          }),
        ],
        suites: [{ specs: [spec('is broken', test('unexpected', 'first', 'second\nline'))] }],
      },
    ];
    expect(sumPlaywright(playwright({ expected: 1, flaky: 1, unexpected: 1 }, { suites }), false)).toEqual({
      passed: 2,
      failed: 1,
      failures: ['some.spec.ts:7 [chromium] > is broken\n    second\n    line'],
      unstable: ['some.spec.ts:7 [chromium] > is flaky\n    late'],
    });
  });
});

it('adds results of several runners', () => {
  expect(
    addResults([
      { passed: 1, failed: 0 },
      { passed: 2, failed: 3, failures: ['one'], unstable: ['two'] },
    ]),
  ).toEqual({ passed: 3, failed: 3, failures: ['one'], unstable: ['two'] });
});

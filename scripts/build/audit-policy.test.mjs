import { expect, test } from 'vitest';
import { judgeAdvisories, readAdvisories } from './audit-policy.mjs';

const cause = (id, severity) => ({
  source: 1,
  name: 'a-parser',
  title: 'Reads too much',
  url: `https://github.com/advisories/${id}`,
  severity,
});

const report = {
  auditReportVersion: 2,
  vulnerabilities: {
    'a-parser': { severity: 'high', via: [cause('GHSA-high', 'high'), cause('GHSA-low', 'low')] },
    'a-server': { severity: 'high', via: ['a-parser'] },
    'b-server': { severity: 'high', via: [cause('GHSA-high', 'high')] },
  },
};

test('an answer that is no report is none, such as that of a registry without advisories', () => {
  expect(readAdvisories({ message: '405 Method Not Allowed', error: {} })).toBeNull();
  expect(readAdvisories(null)).toBeNull();
  expect(readAdvisories({ vulnerabilities: {} })).toEqual([]);
});

test('a high advisory fails the audit once, and a low one is a note', () => {
  expect(judgeAdvisories(readAdvisories(report), { accepted: [] }, '2026-11-25')).toEqual({
    failures: ['high: a-parser: Reads too much (GHSA-high)'],
    notes: ['low: a-parser: Reads too much (GHSA-low)'],
  });
});

test('an accepted advisory fails again after its date', () => {
  const policy = { accepted: [{ id: 'GHSA-high', until: '2026-12-01', reason: 'Only tests call it.' }] };
  const judge = (today) => judgeAdvisories(readAdvisories(report), policy, today).failures;
  expect(judge('2026-12-01')).toEqual([]);
  expect(judge('2026-12-02')).toEqual([
    'high: a-parser: Reads too much (GHSA-high); it was accepted until 2026-12-01',
  ]);
});

test('nothing is accepted without a date and a reason', () => {
  const { failures } = judgeAdvisories([], { accepted: [{ id: 'GHSA-x' }] }, '2026-12-01');
  expect(failures).toEqual([
    'GHSA-x has no date until which it is accepted.',
    'GHSA-x has no reason why it is accepted.',
  ]);
});

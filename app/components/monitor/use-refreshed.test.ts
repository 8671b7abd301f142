import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '#shared/clock';
import { historyRefreshMs } from './use-refreshed';

test('the history of a watch is read again as soon as a check has ended since', () => {
  const now = '2026-11-20T10:30:00.000Z';
  expect(historyRefreshMs({ now }, null)).toBe(MINUTE);
  expect(historyRefreshMs({ now }, '2026-11-20T10:29:59.000Z')).toBe(MINUTE);
  expect(historyRefreshMs({ now }, '2026-11-20T10:30:01.000Z')).toBe(SECOND);
  expect(historyRefreshMs(null, now)).toBe(MINUTE);
});

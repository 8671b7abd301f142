import { expect, test } from 'vitest';
import { share } from './status-view';

test.each([
  [{ total: 5_760, conclusive: 5_760 }, '100%'],
  [{ total: 5_760, conclusive: 5_759 }, '99.9%'],
  [{ total: 3, conclusive: 2 }, '66.6%'],
  [{ total: 4, conclusive: 0 }, '0%'],
])('the share of %o is %s', (checks, text) => {
  expect(share(checks)).toBe(text);
});

import { expect, it } from 'vitest';
import { pagesSwiped } from './use-page-turning';

it.each([
  ['to the left moves forward', { dx: -120, dy: 10, ms: 200 }, 1],
  ['to the right moves back', { dx: 120, dy: -30, ms: 200 }, -1],
  ['that is too short does nothing', { dx: -40, dy: 0, ms: 100 }, 0],
  ['that scrolls vertically does nothing', { dx: -120, dy: 90, ms: 200 }, 0],
  ['that is too slow does nothing', { dx: -120, dy: 0, ms: 1_500 }, 0],
] as const)('a gesture %s', (_, gesture, pages) => {
  expect(pagesSwiped(gesture)).toBe(pages);
});

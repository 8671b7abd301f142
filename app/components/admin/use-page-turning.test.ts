import { expect, it } from 'vitest';
import { pagesSwiped } from './use-page-turning';

it.each([
<<<<<<< HEAD:app/components/admin/use-page-turning.test.ts
  ['to the left turns forward', { dx: -120, dy: 10, ms: 200 }, 1],
  ['to the right turns back', { dx: 120, dy: -30, ms: 200 }, -1],
  ['too short turns nothing', { dx: -40, dy: 0, ms: 100 }, 0],
  ['that scrolls turns nothing', { dx: -120, dy: 90, ms: 200 }, 0],
  ['that rests turns nothing', { dx: -120, dy: 0, ms: 1_500 }, 0],
] as const)('a gesture %s', (_, stroke, pages) => {
=======
  ['to the left moves forward', { dx: -120, dy: 10, ms: 200 }, 1],
  ['to the right moves back', { dx: 120, dy: -30, ms: 200 }, -1],
  ['that is too short does nothing', { dx: -40, dy: 0, ms: 100 }, 0],
  ['that scrolls vertically does nothing', { dx: -120, dy: 90, ms: 200 }, 0],
  ['that is too slow does nothing', { dx: -120, dy: 0, ms: 1_500 }, 0],
] as const)('a stroke %s', (_, stroke, pages) => {
>>>>>>> integration:app/components/admin/swipe.test.ts
  expect(pagesSwiped(stroke)).toBe(pages);
});

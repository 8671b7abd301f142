import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LongDate } from './dates';

test.each([
  ['2026-12-14T09:05:00.000Z', '14 December 2026'],
  // In summer London’s day begins an hour before that of UTC.
  ['2026-06-30T23:30:00.000Z', '1 July 2026'],
])('%s is shown as %s, and the datetime attribute is unchanged', (iso, day) => {
  expect(renderToStaticMarkup(createElement(LongDate, { iso }))).toBe(
    `<time dateTime="${iso}">${day}</time>`,
  );
});

import { expect, test } from 'vitest';
import { isBlank } from './articles';

test('invisible text is blank, as on the server', () => {
  for (const html of ['', '<p> &nbsp;</p>', '<p>\u200b</p>', '<p><img src="/uploads/a/1.webp" alt="x"></p>'])
    expect(isBlank(html), html).toBe(true);
  expect(isBlank('<p>.</p>')).toBe(false);
});

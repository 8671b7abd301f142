import { expect, test } from 'vitest';
import { describeFailedUploads, isBlank } from './articles';

test('invisible text is blank, as on the server', () => {
  for (const html of ['', '<p> &nbsp;</p>', '<p>\u200b</p>', '<p><img src="/uploads/a/1.webp" alt="x"></p>'])
    expect(isBlank(html), html).toBe(true);
  expect(isBlank('<p>.</p>')).toBe(false);
});

test('images that could not be stored are named', () => {
  expect(describeFailedUploads(['a.heic'])).toBe(
    '“a.heic” in the text could not be uploaded. Try again or remove it before saving.',
  );
  expect(describeFailedUploads(['a.heic', 'b.png', 'c.png'])).toBe(
    '“a.heic”, “b.png” and “c.png” in the text could not be uploaded. Try again or remove them before saving.',
  );
});

import { expect, test } from 'vitest';
import { publishingTexts, PUBLISH_WAITS } from './release-texts';

const AT = '2026-11-25T11:05:00.000Z';
const file = {
  platform: 'windows' as const,
  uploadId: 'u',
  fileName: 'app.exe',
  fileSize: 1,
  sha256: 'a'.repeat(64),
  sha512: 'a',
  createdAt: AT,
};

test('a published release without a file is not called one that members can download', () => {
  const none = publishingTexts({ published: true, publishedAt: AT, files: {} });
  expect(none).toEqual({
    members: 'There is no file yet that members can download.',
    files: 'Upload the file of at least one platform.',
  });
  expect(publishingTexts({ published: false, publishedAt: null, files: {} })).toEqual({
    members: 'Only admins see this version.',
    files: PUBLISH_WAITS,
  });
  const some = publishingTexts({ published: true, publishedAt: AT, files: { windows: file } });
  expect(some.members).toBe('Members can download this version.');
  expect(some.files).toMatch(/^Missing: macOS and Linux\. /);
});

import { describe, expect, it } from 'vitest';
import { isUploadedImage, uploadIdOf, uploadPath } from './upload-path';

const ID = '3f0c2a52-9a2e-4a3b-8f51-0d6a1c2b7e90';

describe('the path of an uploaded file', () => {
  it.each(['480.webp', 'share.jpeg', 'video.mp4', 'video.webm', 'a_b-1.webp'])(
    'belongs to its upload: %s',
    (name) => {
      expect(uploadIdOf(uploadPath(ID, name))).toBe(ID);
    },
  );

  it.each([
    `/uploads/${ID}/page.html`,
    `/uploads/${ID}/a.webp.html`,
    `/uploads/${ID}/a.webp?x`,
    `/uploads/${ID}/a/b.webp`,
    `/uploads/${ID}/../a.webp`,
    `/uploads/${ID}/`,
    `/uploads/${ID.toUpperCase()}/a.webp`,
    '/uploads/x/y.webp',
    '/uploads/.part/a.webp',
    `//uploads/${ID}/a.webp`,
    `https://example.org/uploads/${ID}/a.webp`,
  ])('is rejected: %s', (path) => {
    expect(uploadIdOf(path)).toBeNull();
    expect(isUploadedImage(path)).toBe(false);
  });

  it('is an image or not', () => {
    expect(isUploadedImage(uploadPath(ID, '480.webp'))).toBe(true);
    expect(isUploadedImage(uploadPath(ID, 'share.jpeg'))).toBe(false);
    expect(isUploadedImage(uploadPath(ID, 'video.mp4'))).toBe(false);
  });
});

import { expect, test } from 'vitest';
import { uploadsInText, withoutImages } from './text-images';

const image = (id: string, attributes = 'alt=""') => `<img src="/uploads/${id}/640.webp" ${attributes}>`;
const gone = (...ids: string[]) => ids.includes.bind(ids);

test('finds the upload of each image once, in every form of the tag', () => {
  const html = `<p>${image('a')} and <img alt="src=&quot;/uploads/z/1.webp" src="/uploads/b/1.webp"></p>${image('a')}`;
  expect([...uploadsInText(html)]).toEqual(['a', 'b']);
  expect([...uploadsInText('<p><a href="/uploads/c/1.webp">c</a> src="/uploads/d/1.webp"</p>')]).toEqual([]);
});

test('removes images, with the paragraphs that contained nothing else', () => {
  const html = `<p>One ${image('a')}</p>\n<p class="align-center">${image('a')}</p>\n<p>${image('a')}${image('b')}</p>`;
  expect(withoutImages(html, gone('a'))).toBe(`<p>One </p>\n<p>${image('b')}</p>`);
  expect(withoutImages(html, gone('a', 'b'))).toBe('<p>One </p>');
  expect(withoutImages(html, gone('c'))).toBe(html);
});

test('keeps paragraphs that were empty before', () => {
  expect(withoutImages(`<p> </p><p>${image('a')}</p>`, gone('a'))).toBe('<p> </p>');
});

import { expect, test } from 'vitest';
import { uploadsInText, withoutImages } from './text-images';

const picture = (id: string, attributes = 'alt=""') => `<img src="/uploads/${id}/640.webp" ${attributes}>`;
const gone = (...ids: string[]) => ids.includes.bind(ids);

test('the uploads of a text are those of its images, in every form, each once', () => {
  const html = `<p>${picture('a')} and <img alt="src=&quot;/uploads/z/1.webp" src="/uploads/b/1.webp"></p>${picture('a')}`;
  expect([...uploadsInText(html)]).toEqual(['a', 'b']);
  expect([...uploadsInText('<p><a href="/uploads/c/1.webp">c</a> src="/uploads/d/1.webp"</p>')]).toEqual([]);
});

test('what is gone goes, with the paragraph that held nothing else', () => {
  const html = `<p>One ${picture('a')}</p>\n<p class="align-center">${picture('a')}</p>\n<p>${picture('a')}${picture('b')}</p>`;
  expect(withoutImages(html, gone('a'))).toBe(`<p>One </p>\n<p>${picture('b')}</p>`);
  expect(withoutImages(html, gone('a', 'b'))).toBe('<p>One </p>');
  expect(withoutImages(html, gone('c'))).toBe(html);
});

test('empty paragraphs that were there before stay', () => {
  expect(withoutImages(`<p> </p><p>${picture('a')}</p>`, gone('a'))).toBe('<p> </p>');
});

import { describe, expect, it } from 'vitest';
import { authorOf, countWords, joinLines, readMinutes, summaryOf } from './article-text';

describe('the summary on a card', () => {
  it('is the whole excerpt when there is one', () => {
    expect(summaryOf({ excerpt: 'x'.repeat(400), summary: 'text' }, 120)).toBe('x'.repeat(400));
  });

  it('is otherwise the beginning of the text, with an ellipsis', () => {
    expect(summaryOf({ excerpt: null, summary: 'x'.repeat(121) }, 120)).toBe(`${'x'.repeat(120)}…`);
    expect(summaryOf({ excerpt: null, summary: 'x'.repeat(120) }, 120)).toBe('x'.repeat(120));
  });

  it('counts characters, not UTF-16 units, and cuts none in half', () => {
    expect(summaryOf({ excerpt: null, summary: '🃏'.repeat(121) }, 120)).toBe(`${'🃏'.repeat(120)}…`);
    expect(summaryOf({ excerpt: null, summary: '🃏'.repeat(120) }, 120)).toBe('🃏'.repeat(120));
  });

  it('leaves no space before the ellipsis', () => {
    expect(summaryOf({ excerpt: null, summary: 'four more' }, 5)).toBe('four…');
  });

  it('leaves no separator before the ellipsis', () => {
    const summary = joinLines(['four', 'more']);
    expect([5, 6, 7, 8].map((limit) => summaryOf({ excerpt: null, summary }, limit))).toEqual([
      'four…',
      'four…',
      'four…',
      'four · m…',
    ]);
  });
});

describe('the lines of a text on one line', () => {
  it.each([
    [['The day before', 'Sign in to the shop.'], 'The day before · Sign in to the shop.'],
    [['What is waiting.', 'The day before', 'Sign in'], 'What is waiting. The day before · Sign in'],
    [['Bring:', 'a pen', 'a binder'], 'Bring: a pen · a binder'],
    [['“Is it open?”', '(It is.)', 'So it was'], '“Is it open?” (It is.) So it was'],
    [['明日です。', '次'], '明日です。 次'],
    [['Only one'], 'Only one'],
    [[], ''],
  ])('%j', (lines, text) => {
    expect(joinLines(lines)).toBe(text);
  });
});

it('an author without a name is Admin', () => {
  expect(authorOf({ authorUsername: null })).toBe('Admin');
  expect(authorOf({ authorUsername: 'Ash' })).toBe('Ash');
});

describe('the read time', () => {
  it.each([
    ['', 0],
    [' \n ', 0],
    ['one', 1],
    [' one\ntwo\u00a0three  four ', 4],
  ])('words are separated by white space: %j', (text, words) => {
    expect(countWords(text)).toBe(words);
  });

  it.each([
    [0, 1],
    [200, 1],
    [201, 2],
    [1_000, 5],
  ])('%i words are read in %i minutes', (words, minutes) => {
    expect(readMinutes(words)).toBe(minutes);
  });
});

import { describe, expect, test } from 'vitest';
import { answerFileRequest, resumesUnconditionally } from './conditional-request.server';

const FILE = { etag: '"new"', size: 1000 };

function answer(headers: Record<string, string>, method = 'GET') {
  return answerFileRequest({ method, headers: new Headers(headers) }, FILE);
}

const part = (start: number, end: number) => ({ status: 206, range: { start, end } });

describe('a range', () => {
  test.each([
    ['bytes=0-0', part(0, 0)],
    ['bytes=0-', part(0, 999)],
    ['bytes=500-', part(500, 999)],
    ['Bytes= 500-600 ', part(500, 600)],
    ['bytes=999-5000', part(999, 999)],
    ['bytes=-1', part(999, 999)],
    ['bytes=-5000', part(0, 999)],
    [`bytes=5-${'9'.repeat(400)}`, part(5, 999)],
    ['bytes=1000-', { status: 416 }],
    ['bytes=1000-2000', { status: 416 }],
    ['bytes=-0', { status: 416 }],
    [`bytes=${'9'.repeat(400)}-`, { status: 416 }],
  ])('%s is answered with %j', (range, expected) => {
    expect(answer({ Range: range })).toEqual(expected);
  });

  test.each([
    'bytes=0-1,5-6',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=x-5',
    'bytes=5-6x',
    'bytes=1.5-2',
    'lines=0-5',
  ])('%s is ignored', (range) => expect(answer({ Range: range })).toEqual({ status: 200 }));

  test('of a HEAD request is ignored', () => {
    expect(answer({ Range: 'bytes=0-5' }, 'HEAD')).toEqual({ status: 200 });
  });
});

describe('preconditions', () => {
  const Range = 'bytes=5-';
  test.each([
    [{ 'If-Range': '"new"', Range }, part(5, 999)],
    [{ 'If-Range': '"old"', Range }, { status: 200 }],
    [{ 'If-Range': 'W/"new"', Range }, { status: 200 }],
    [{ 'If-Range': 'Mon, 23 Nov 2026 05:00:00 GMT', Range }, { status: 200 }],
    [{ 'If-Match': '"new"', Range }, part(5, 999)],
    [{ 'If-Match': '*', Range }, part(5, 999)],
    [{ 'If-Match': '"a", "new"' }, { status: 200 }],
    [{ 'If-Match': '"old"', Range }, { status: 412 }],
    [{ 'If-Match': 'W/"new"' }, { status: 412 }],
    [{ 'If-Match': '' }, { status: 412 }],
    [{ 'If-Match': '"old"', 'If-None-Match': '"new"' }, { status: 412 }],
    [{ 'If-None-Match': 'W/"new"', Range }, { status: 304 }],
    [{ 'If-None-Match': '"old"', Range }, part(5, 999)],
    [{ 'If-Range': '"new"', Range: 'bytes=2000-' }, { status: 416 }],
    [{ 'If-Range': '"old"', Range: 'bytes=2000-' }, { status: 200 }],
  ])('%j are answered with %j', (headers, expected) => {
    expect(answer(headers as Record<string, string>)).toEqual(expected);
  });
});

test('a resumed download says of which version, or it does not', () => {
  const resumes = (headers: Record<string, string>, method = 'GET') =>
    resumesUnconditionally({ method, headers: new Headers(headers) });
  const Range = 'bytes=5-';
  expect(resumes({ Range })).toBe(true);
  expect(resumes({ Range: 'bytes=5-9, 20-30' })).toBe(true);
  expect(resumes({ Range }, 'HEAD')).toBe(false);
  expect(resumes({ Range: 'bytes=0-' })).toBe(false);
  expect(resumes({ Range, 'If-Range': '"a"' })).toBe(false);
  expect(resumes({ Range, 'If-Match': '"a"' })).toBe(false);
  expect(resumes({})).toBe(false);
});

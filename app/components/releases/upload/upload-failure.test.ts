import { expect, test } from 'vitest';
import { CONNECTION_LOST, describeUploadFailure } from './upload-failure';

const said = (code: string, message: string) => JSON.stringify({ success: false, code, message });

test.each([
  [0, '', 'retry', CONNECTION_LOST],
  [401, said('not_authenticated', 'Sign in.'), 'resume', /Sign in again in another tab/],
  [404, '', 'gone', /cancelled or has expired/],
  [410, '', 'gone', /cancelled or has expired/],
  [409, said('offset_conflict', 'Another offset.'), 'retry', CONNECTION_LOST],
  [409, said('upload_elsewhere', 'Another server has it.'), 'retry', /Another server of this site/],
  [409, said('upload_in_progress', 'It is being uploaded.'), 'refused', 'It is being uploaded.'],
  [422, said('file_type', 'This is a web page.'), 'refused', 'This is a web page.'],
  [413, '<h1>Too large</h1>', 'refused', /could not be uploaded/],
  [423, '', 'retry', 'The server is busy.'],
  [429, said('rate_limited', 'Wait a minute.'), 'retry', 'Wait a minute.'],
  [502, '<h1>Bad gateway</h1>', 'retry', 'The server has a problem.'],
  [503, said('storage_full', 'There is too little space.'), 'resume', 'There is too little space.'],
  [503, said('storage_unavailable', 'Files cannot be stored.'), 'retry', 'Files cannot be stored.'],
] as const)('after status %i the upload knows its next step: %s', (status, text, next, reason) => {
  const failure = describeUploadFailure({ status, text });
  expect(failure.next).toBe(next);
  expect(failure.reason).toMatch(reason);
});

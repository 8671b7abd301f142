import { expect, it } from 'vitest';
import { formatTable } from './terminal';

it('text from outside stays in its row of a table', () => {
  expect(formatTable([['why'], ['a\u001b[2Jb\r\nc']]).split('\n')).toHaveLength(2);
});

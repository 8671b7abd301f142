import { expect, it } from 'vitest';
import { formatTable } from './terminal';

it('external text stays in its table row', () => {
  expect(formatTable([['why'], ['a\u001b[2Jb\r\nc']]).split('\n')).toHaveLength(2);
});

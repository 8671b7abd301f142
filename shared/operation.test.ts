import { expect, it } from 'vitest';
import { z } from 'zod';
import { operation, parseInput } from './operation';

const rename = operation({
  access: 'member',
  input: z.object({ name: z.string().trim().max(3, 'Use at most 3 characters.'), size: z.int() }),
  run: async () => {},
});

it('an input against the schema of its operation is refused with a sentence by field, whichever face sent it', () => {
  const given = { name: 'Charizard', size: 'large' as unknown as number };
  expect(() => parseInput(rename, given)).toThrow(
    expect.objectContaining({
      kind: 'Invalid',
      code: 'invalid',
      fieldErrors: { name: ['Use at most 3 characters.'], size: ['size must be a number.'] },
    }),
  );
  const others = { name: ' Abr ', size: 2, of: 'another form' };
  expect(parseInput(rename, others)).toEqual({ name: 'Abr', size: 2 });
});

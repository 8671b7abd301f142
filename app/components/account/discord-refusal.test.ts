import { expect, it } from 'vitest';
import { explainDiscordError } from './discord-refusal';

it.each([
  ['access_denied', 'You cancelled at Discord'],
  ['server_error', 'Wait a minute'],
  ['temporarily_unavailable', 'Wait a minute'],
  ['invalid_scope', 'not your fault'],
  ['unauthorized_client', 'not your fault'],
  ['a_new_error', 'Try again here'],
  ['constructor', 'Try again here'],
  [null, 'Try again here'],
])('%s says what happened, what to do, and that nothing was changed', (error, part) => {
  expect(explainDiscordError(error)).toContain(part);
  expect(explainDiscordError(error)).toContain('nothing was changed');
});

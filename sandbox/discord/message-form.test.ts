import { expect, test } from 'vitest';
import { readEdit, readPost } from './message-form';

function refusalOf(message: unknown) {
  const read = readPost(JSON.stringify(message));
  return 'refusal' in read ? read.refusal : null;
}

/** The first error's path and code, as `embeds.0.title BASE_TYPE_MAX_LENGTH`. */
function firstError(message: unknown): string | null {
  const walk = (node: unknown, path: string[]): string | null => {
    if (typeof node !== 'object' || node === null) return null;
    for (const [key, value] of Object.entries(node)) {
      if (key === '_errors') return `${path.join('.')} ${(value as { code: string }[])[0]?.code}`.trim();
      const found = walk(value, [...path, key]);
      if (found) return found;
    }
    return null;
  };
  return walk(refusalOf(message)?.errors, []);
}

const long = (length: number) => 'x'.repeat(length);
const embed = (value: object) => ({ embeds: [{ title: 'Open', ...value }] });

test.each([
  ['content of 2001 characters', { content: long(2001) }, 'content BASE_TYPE_MAX_LENGTH'],
  ['content that is not a string', { content: 5 }, 'content STRING_TYPE_CONVERT'],
  ['eleven embeds', { embeds: Array(11).fill({ title: 'x' }) }, 'embeds BASE_TYPE_MAX_LENGTH'],
  ['embeds that are not an array', { content: 'x', embeds: {} }, 'embeds LIST_TYPE_CONVERT'],
  ['an embed that is not an object', { embeds: ['x'] }, 'embeds.0 DICT_TYPE_CONVERT'],
  ['a title of 257 characters', embed({ title: long(257) }), 'embeds.0.title BASE_TYPE_MAX_LENGTH'],
  ['a description of 4097', embed({ description: long(4097) }), 'embeds.0.description BASE_TYPE_MAX_LENGTH'],
  [
    '26 fields',
    embed({ fields: Array(26).fill({ name: 'n', value: 'v' }) }),
    'embeds.0.fields BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a field name of 257',
    embed({ fields: [{ name: long(257), value: 'v' }] }),
    'embeds.0.fields.0.name BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a field value of 1025',
    embed({ fields: [{ name: 'n', value: long(1025) }] }),
    'embeds.0.fields.0.value BASE_TYPE_MAX_LENGTH',
  ],
  [
    'an empty field value',
    embed({ fields: [{ name: 'n', value: '' }] }),
    'embeds.0.fields.0.value BASE_TYPE_REQUIRED',
  ],
  [
    'a field without a name',
    embed({ fields: [{ value: 'v' }] }),
    'embeds.0.fields.0.name BASE_TYPE_REQUIRED',
  ],
  ['a footer of 2049', embed({ footer: { text: long(2049) } }), 'embeds.0.footer.text BASE_TYPE_MAX_LENGTH'],
  ['an author of 257', embed({ author: { name: long(257) } }), 'embeds.0.author.name BASE_TYPE_MAX_LENGTH'],
  ['a colour beyond white', embed({ color: 0x1000000 }), 'embeds.0.color NUMBER_TYPE_MAX'],
  ['a colour that is not a number', embed({ color: '#fff' }), 'embeds.0.color NUMBER_TYPE_COERCE'],
  ['a link to a script', embed({ url: 'javascript:alert(1)' }), 'embeds.0.url URL_TYPE_INVALID_SCHEME'],
  ['an invalid link', embed({ url: '/restock/1' }), 'embeds.0.url URL_TYPE_INVALID_URL'],
  ['a timestamp in seconds', embed({ timestamp: '1795190400' }), 'embeds.0.timestamp DATE_TIME_TYPE_PARSE'],
  [
    'embeds of 6001 together',
    { embeds: [{ description: long(4000) }, { description: long(2001) }] },
    'embeds MAX_EMBED_SIZE_EXCEEDED',
  ],
  ['an empty user name', { content: 'x', username: '' }, 'username BASE_TYPE_BAD_LENGTH'],
  ['a user name of 81', { content: 'x', username: long(81) }, 'username BASE_TYPE_BAD_LENGTH'],
  [
    'a user name with Discord in it',
    { content: 'x', username: 'My Discord' },
    'username USERNAME_INVALID_CONTAINS',
  ],
  ['a user name with Clyde in it', { content: 'x', username: 'CLYDE' }, 'username USERNAME_INVALID_CONTAINS'],
  [
    'an unknown kind of mention',
    { content: 'x', allowed_mentions: { parse: ['all'] } },
    'allowed_mentions.parse.0 BASE_TYPE_CHOICES',
  ],
  [
    '101 roles',
    { content: 'x', allowed_mentions: { roles: Array(101).fill('1') } },
    'allowed_mentions.roles BASE_TYPE_MAX_LENGTH',
  ],
  [
    'a role that is not an id',
    { content: 'x', allowed_mentions: { roles: ['admins'] } },
    'allowed_mentions.roles.0 NUMBER_TYPE_COERCE',
  ],
  [
    'parse and a list of the same kind',
    { content: 'x', allowed_mentions: { parse: ['roles'], roles: ['1'] } },
    'allowed_mentions MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
  ],
  ['a list instead of a message', [], 'DICT_TYPE_CONVERT'],
])('%s is an invalid form body', (_what, message, expected) => {
  expect(refusalOf(message)).toMatchObject({ code: 50035, message: 'Invalid Form Body' });
  expect(firstError(message)).toBe(expected);
});

test.each([
  ['nothing at all', {}],
  ['only white space', { content: ' \n ' }],
  ['an embed that shows nothing', { embeds: [{ color: 5 }] }],
  ['nulls', { content: null, embeds: null }],
])('a message of %s is empty', (_what, message) => {
  expect(refusalOf(message)).toEqual({ code: 50006, message: 'Cannot send an empty message' });
});

test.each([
  [
    'everything at its limit',
    { content: long(2000), username: long(80), embeds: [{ title: long(256), description: long(4096) }] },
  ],
  ['2000 emoji', { content: '🎴'.repeat(2000) }],
  [
    'parse beside a list of another kind',
    { content: 'x', allowed_mentions: { parse: ['users'], roles: ['1'] } },
  ],
  ['parse beside an empty list', { content: 'x', allowed_mentions: { parse: ['roles'], roles: [] } }],
  ['fields that Discord does not know', { content: 'x', nonsense: true }],
])('a message with %s is accepted', (_what, message) => {
  expect(refusalOf(message)).toBeNull();
});

test('an edit may clear the content when an embed stays', () => {
  const before = { content: 'open', embeds: [{ title: 'Open' }] };
  expect(readEdit('{"content":null}', before)).toEqual({ form: { content: null } });
  expect(readEdit('{"content":null,"embeds":[]}', before)).toMatchObject({ refusal: { code: 50006 } });
});

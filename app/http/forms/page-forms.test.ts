import { expect, test } from 'vitest';
import { z } from 'zod';
import { parsePageForm, textField } from './page-forms.server';

const schema = z.object({ email: z.string('Please enter it.'), featured: z.boolean().optional() });

/** The result of a form: its values or its errors. */
function parsed(body: string) {
  const submission = parsePageForm(new URLSearchParams(body), schema);
  return submission.status === 'success' ? submission.value : submission.error;
}

test('the fields of the schema are parsed', () => {
  expect(parsed('intent=login&email=a&featured=on')).toEqual({ email: 'a', featured: true });
  expect(parsed('intent=login')).toEqual({ email: ['Please enter it.'] });
});

// 29 bytes of an anonymous request made the form library build a list of five million items, until memory ran out.
test('a field name with an index builds no list', () => {
  expect(parsed('email=a&email[5000000]=x')).toEqual({ email: 'a' });
  expect(parsed('email[5000000]=x')).toEqual({ email: ['Please enter it.'] });
});

// The form library parsed these as its own JSON and threw.
test.each(['__intent__={', '__state__={', '__intent__={"type":"reset","payload":{}}'])(
  'a command of the form library is not a field: %s',
  (command) => {
    expect(parsed(`email=a&${command}`)).toEqual({ email: 'a' });
  },
);

test.each(['__proto__', 'constructor', 'email.x', 'email[]', '[0]', 'toString'])(
  'a name that the schema does not have is ignored: %s',
  (name) => {
    expect(parsed(`email=a&${encodeURIComponent(name)}=x`)).toEqual({ email: 'a' });
  },
);

test('a repeated field is not a string', () => {
  expect(parsed('email=a&email=b')).toEqual({ email: ['Please enter it.'] });
});

test('a value that the page cannot send is refused in a sentence, not in the words of the library', () => {
  const settings = z.object({
    name: textField,
    at: z.coerce.number().int().min(0),
    audience: z.enum(['free']),
  });
  for (const body of ['name=a&name=b', 'at=-1', 'at=1e309', 'at=x', 'audience=constructor', '']) {
    const { error } = parsePageForm(new URLSearchParams(body), settings).reply();
    expect(new Set(Object.values(error ?? {}).flat())).toEqual(
      new Set(['We did not understand this form. Please reload the page and try again.']),
    );
  }
});

test('the result repeats only the fields of the schema', () => {
  const submission = parsePageForm(new URLSearchParams('featured=x&a[3]=b'), schema);
  expect(submission.reply()).toMatchObject({ fields: ['featured'], initialValue: { featured: 'x' } });
});

import { expect, test } from 'vitest';
import { permissionsPolicy } from './security-headers.server';

test.each([
  ['Stripe', 'https://js.stripe.com/endive/stripe.js', 'self "https://js.stripe.com"'],
  ['a stand-in', 'http://127.0.0.1:4010/stripe.js', 'self "http://127.0.0.1:4010"'],
])('a page that runs the script of %s allows payment to its origin', (_name, jsUrl, allowed) => {
  expect(permissionsPolicy({ jsUrl })).toContain(`payment=(${allowed})`);
});

test('every other response allows payment to nothing', () => {
  expect(permissionsPolicy(null)).toContain('payment=()');
});

test('every page may use passkeys itself, since scripts open the sign-in without another document', () => {
  expect(permissionsPolicy(null)).toContain(
    'publickey-credentials-create=(self), publickey-credentials-get=(self)',
  );
});

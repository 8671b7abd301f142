import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { createMainApp } from '../http/server';
import { createStripeJs, STRIPE_JS_PATH } from './stripe-js';

const app = createMainApp([createStripeJs()]);

test('the script is complete: it refers to nothing of the module from which it was made', async () => {
  const script = await (await app.request(STRIPE_JS_PATH)).text();
  new Script(script);
  expect(script).not.toMatch(/__vi_|import_|require\(/);
  for (const part of ['openChannel', 'createApi', 'createElement', 'createElements', 'openChallenge'])
    expect(script).toContain(`${part}: function`);
});

test('the frame of an element has labelled fields, and its policy lets only its own script run', async () => {
  const response = await app.request('http://localhost/stripe-js/element?type=payment');
  const page = await response.text();
  for (const label of ['Card number', 'Expiration date', 'Security code'])
    expect(page).toContain(`>${label}</label>`);
  const nonce = /nonce="([^"]+)"/.exec(page)?.[1];
  expect(response.headers.get('content-security-policy')).toContain(`script-src 'nonce-${nonce}'`);
  const script = /<script nonce="[^"]+">([\s\S]*)<\/script>/.exec(page)?.[1] ?? '';
  new Script(script);
});

import { expect, it } from 'vitest';
import { requiresStartTls } from './smtp-encryption';

it.each([
  ['smtp://mail.example.org', true],
  ['smtp://user:password@mail.example.org:587?maxConnections=5', true],
  ['smtp://10.0.0.5:25', true],
  ['smtp://mail.example.org?requireTLS=true&ignoreTLS=true', true],
  ['smtp://127.0.0.1.example.org', true],
  ['smtp://mail.example.org?requireTLS=false', false],
  ['smtp://mail.example.org?ignoreTLS=true', false],
  ['smtp://mail.example.org?opportunisticTLS=1', false],
  ['smtps://mail.example.org', false],
  ['smtp://localhost:1025', false],
  ['smtp://127.0.0.1:1025', false],
  ['smtp://[::1]:1025', false],
  ['smtp://localhost?requireTLS=true', true],
])('%s needs STARTTLS: %s', (url, needed) => {
  expect(requiresStartTls(url)).toBe(needed);
});

import { expect, test } from 'vitest';
import { respond, createApp } from './app';
import { createMainApp } from './server';

const service = createApp();
service.get('/hooks/:id', ({ req }) => respond(200, { 'x-id': req.param('id') }, 'found'));
service.patch('/hooks/:id', () => respond(204));
service.get('/broken', () => {
  throw new Error('out of paper');
});
const app = createMainApp([service]);

test('a named segment is decoded', async () => {
  const response = await app.request('/hooks/a%20b');
  expect(response.headers.get('x-id')).toBe('a b');
});

test('HEAD gets the headers of GET', async () => {
  const response = await app.request('/hooks/1', { method: 'HEAD' });
  expect([response.status, response.headers.get('x-id'), await response.text()]).toEqual([200, '1', '']);
});

test('an unsupported method is a 405 with the supported ones', async () => {
  const response = await app.request('/hooks/1', { method: 'DELETE' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, PATCH']);
});

test('an unknown path is not found', async () => {
  for (const path of ['/nowhere', '/hooks/', '/hooks/1/2']) {
    expect((await app.request(path)).status).toBe(404);
  }
});

test('a handler that throws answers 500 with its reason', async () => {
  const response = await app.request('/broken');
  expect([response.status, await response.json()]).toEqual([500, { message: 'sandbox: out of paper' }]);
});

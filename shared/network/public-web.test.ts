import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPublicWeb } from './public-web.server';

let hits = 0;
const server = createServer((incoming, response) => {
  hits += 1;
  response.writeHead(302, { location: '/again' }).end(incoming.url);
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());
beforeEach(() => void (hits = 0));

/** Names of private networks and addresses of every special block, in the spellings that URL parsers accept. */
const PRIVATE =
  `http://127.0.0.1/ http://127.1/ http://2130706433/ http://0x7f000001/ http://0177.0.0.1/ http://①②⑦.0.0.1/
  http://127.0.0.1./ http://0.0.0.0/ http://0/ http://10.0.0.1/ http://172.16.0.1/ http://172.31.255.255/
  http://192.168.1.1/ http://100.64.0.1/ http://100.127.255.254/ http://169.254.169.254/latest/meta-data
  http://192.0.0.1/ http://192.0.2.1/ http://198.18.0.1/ http://198.51.100.1/ http://203.0.113.1/ http://224.0.0.1/
  http://240.0.0.1/ http://255.255.255.255/ http://[::1]/ http://[::]/ http://[::ffff:127.0.0.1]/
  http://[::ffff:a00:1]/ http://[::ffff:8.8.8.8]/ http://[64:ff9b::7f00:1]/ http://[2002:7f00:1::]/ http://[fe80::1]/
  http://[fd00::1]/ http://[fec0::1]/ http://[ff02::1]/ http://[2001:db8::1]/ http://localhost/ http://LOCALHOST./
  http://app.localhost/ http://printer/ http://nas.local/ http://metadata.google.internal/ http://redis.lan/`
    .trim()
    .split(/\s+/);

/** Resolves every name to the given addresses, one list per call; the last list stays. */
function resolverOf(...answers: string[][]) {
  const queue = [...answers];
  return () => Promise.resolve((queue.length > 1 ? queue.shift() : queue[0]) ?? []);
}

test('no private address is accepted or connected to, in any spelling', async () => {
  const web = createPublicWeb({ allowedPrivateHosts: [] });
  for (const text of PRIVATE) {
    await expect(web.requirePublicUrl(text, 'url'), text).rejects.toMatchObject({
      kind: 'Invalid',
      code: 'address_not_public',
      fieldErrors: { url: [expect.stringContaining('public internet')] },
    });
    const local = new URL(text);
    local.port = String(port);
    await expect(web.request(local), text).rejects.toMatchObject({
      code: 'ADDRESS_NOT_PUBLIC',
    });
  }
  expect(hits).toBe(0);
  await web.close();
});

test.each([
  'ftp://shop.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'shop.example',
  '//shop.example',
  '',
])('%j is no address of a page', async (text) => {
  const web = createPublicWeb({ allowedPrivateHosts: [], resolve: resolverOf(['8.8.8.8']) });
  await expect(web.requirePublicUrl(text)).rejects.toThrow('begins with https:// or http://');
});

test('a name that resolves to a private address, alone or among public ones, is refused', async () => {
  for (const addresses of [
    ['127.0.0.1'],
    ['8.8.8.8', '10.0.0.1'],
    ['2606:4700::1111', '::1'],
    ['::ffff:127.0.0.1'],
  ]) {
    const web = createPublicWeb({ allowedPrivateHosts: [], resolve: resolverOf(addresses) });
    await expect(web.requirePublicUrl('https://shop.example/')).rejects.toMatchObject({
      code: 'address_not_public',
    });
    await expect(web.request(`http://shop.example:${port}/`)).rejects.toMatchObject({
      code: 'ADDRESS_NOT_PUBLIC',
    });
    await web.close();
  }
  expect(hits).toBe(0);
});

test('a name that resolves differently when the connection is opened is refused (DNS rebinding)', async () => {
  const web = createPublicWeb({ allowedPrivateHosts: [], resolve: resolverOf(['8.8.8.8'], ['127.0.0.1']) });
  const url = await web.requirePublicUrl(`http://shop.example:${port}/`);
  await expect(web.request(url)).rejects.toMatchObject({
    code: 'ADDRESS_NOT_PUBLIC',
  });
  expect(hits).toBe(0);
  await web.close();
});

test('a name without an address, and one with a password in its address, get their own sentence', async () => {
  const web = createPublicWeb({ allowedPrivateHosts: [], resolve: resolverOf([]) });
  await expect(web.requirePublicUrl('https://gone.example/')).rejects.toMatchObject({
    code: 'address_unknown',
    message: 'gone.example could not be found. Check the address and try again.',
  });
  await expect(web.requirePublicUrl('https://me:secret@shop.example/')).rejects.toThrow(
    'without a user name',
  );
});

test('an allowed private host is connected to, on the listed port alone, and its redirects are not followed', async () => {
  const web = createPublicWeb({ allowedPrivateHosts: [`127.0.0.1:${port}`] });
  const url = await web.requirePublicUrl(`http://127.0.0.1:${port}/page`);
  const { statusCode, body } = await web.request(url);
  expect([statusCode, await body.text(), hits]).toEqual([302, '/page', 1]);
  for (const other of [`http://127.0.0.1:${port + 1}/`, 'http://127.0.0.1/', `http://localhost:${port}/`])
    await expect(web.requirePublicUrl(other)).rejects.toMatchObject({ code: 'address_not_public' });

  const anyPort = createPublicWeb({ allowedPrivateHosts: ['127.0.0.1', '[::1]:8080'] });
  await expect(anyPort.requirePublicUrl(`http://127.1:${port}/`)).resolves.toBeInstanceOf(URL);
  await expect(anyPort.requirePublicUrl('http://[0::1]:8080/')).resolves.toBeInstanceOf(URL);
  await expect(anyPort.requirePublicUrl('http://[::1]:8081/')).rejects.toThrow('public internet');
  await Promise.all([web.close(), anyPort.close()]);
});

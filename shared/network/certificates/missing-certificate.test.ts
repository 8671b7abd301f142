import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { explainFetchFailure } from '../explain-fetch-failure';
import { createPageClient } from '../page/page-client.server';
import type { PageResponse } from '../page/page-response';
import { createCompletedTrust } from './completed-trust.server';
import type { DownloadCertificate } from './missing-issuers.server';
import { parseCertificates } from './missing-issuers.server';

const file = (name: string): Buffer =>
  readFileSync(resolve(import.meta.dirname, '../../../tests/fixtures/certificates', name));
const derOf = (name: string): Buffer => new X509Certificate(file(`${name}.pem`)).raw;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Serves a page over TLS with one certificate alone. Returns its address. */
async function serveTls(name: string, { http2 = false } = {}): Promise<URL> {
  const own = { key: file(`${name}.key`), cert: file(`${name}.pem`) };
  const server = http2
    ? createSecureHttp2(own)
    : createServer(own, (_, response) => response.setHeader('connection', 'close').end('a shop'));
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

/** A client that trusts the root of the tests alone, and what it downloaded. */
function clientWith(answers: Record<string, Buffer>) {
  const downloaded: string[] = [];
  const download: DownloadCertificate = (address) => {
    downloaded.push(address.href);
    const answer = answers[address.pathname];
    return answer === undefined ? Promise.reject(new Error('no such file')) : Promise.resolve(answer);
  };
  const trust = createCompletedTrust({ download, roots: () => [file('root.pem').toString()] });
  const client = createPageClient({ tcpFor: () => ({}), trust });
  const fetchText = async (url: URL): Promise<string> => textOf(await client.request(requestFor(url)));
  return { downloaded, fetchText };
}

const requestFor = (url: URL) => ({ url, headers: {}, signal: AbortSignal.timeout(5_000) });

async function textOf(response: PageResponse): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of response.body.chunks) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a missing intermediate certificate is fetched once from the address in the certificate, in each format', async () => {
  for (const bytes of [derOf('intermediate'), file('intermediate.pem'), file('intermediate.p7c')]) {
    const url = await serveTls('server');
    const { downloaded, fetchText } = clientWith({ '/intermediate.der': bytes });
    expect([await fetchText(url), await fetchText(url)]).toEqual(['a shop', 'a shop']);
    expect(downloaded).toEqual(['http://certificates.example/intermediate.der']);
  }
});

test('with the completed certificates, HTTP/2 is spoken as well', async () => {
  const url = await serveTls('server', { http2: true });
  const { fetchText } = clientWith({ '/intermediate.der': derOf('intermediate') });
  expect(await fetchText(url)).toBe('a shop over h2');
});

function createSecureHttp2(own: { key: Buffer; cert: Buffer }): Server {
  const server = createSecureServer(own);
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/html' });
    stream.end('a shop over h2');
  });
  return server as unknown as Server;
}

test.each([
  [
    'the server’s authority is unknown and signs itself',
    'server-of-stranger',
    { '/stranger.der': derOf('stranger') },
  ],
  ['the file holds another certificate', 'server', { '/intermediate.der': derOf('stranger') }],
  ['the file is no certificate', 'server', { '/intermediate.der': Buffer.from('<html>not found</html>') }],
  ['nothing is there', 'server', {}],
])('the connection is refused when %s, and that is not tried at each check', async (_, name, answers) => {
  const url = await serveTls(name);
  const { downloaded, fetchText } = clientWith(answers);
  for (let check = 0; check < 2; check += 1) {
    const error = await fetchText(url).catch((reason: unknown) => reason);
    expect(explainFetchFailure(error, url)).toBe(
      `${url.host} could not be fetched: its server does not send the intermediate certificate, which could not be found elsewhere either.`,
    );
  }
  expect(downloaded).toHaveLength(1);
});

test('a file of certificates may be damaged in any way', () => {
  const whole = file('intermediate.p7c');
  for (let length = 0; length < whole.length; length += 1)
    expect(parseCertificates(whole.subarray(0, length)).length).toBeLessThanOrEqual(1);
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole);
    damaged[at] = 0xff;
    expect(parseCertificates(damaged).length).toBeLessThanOrEqual(1);
  }
});

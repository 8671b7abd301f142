import fc from 'fast-check';
import { connect } from 'node:net';

const HOST = 'Host: localhost\r\n';
const CLOSE = 'Connection: close\r\n';
const get = (target: string): string => `GET ${target} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;

/** Unusual and malformed requests by name. */
export const RAW_REQUESTS: Record<string, string | Buffer> = {
  'a target of two slashes': get('//'),
  'a target of three slashes': get('///'),
  'an authority as the target': get('//evil.example/healthz'),
  'an absolute target': get('http://evil.example/healthz'),
  'an absolute target without a host': get('http://'),
  'an absolute target with a broken port': get('http://evil.example:99999999/'),
  'an absolute target with a broken address': get('http://[::'),
  'an unknown scheme': get('gopher://evil.example/'),
  'a target without a slash': get('healthz'),
  'an asterisk': get('*'),
  'a question mark': get('?'),
  'a fragment': get('/#//'),
  'a broken escape': get('/%E0%A4%A'),
  'a null character, escaped': get('/%00'),
  'dots that climb': get('/../../../../etc/passwd'),
  backslashes: get('\\\\evil.example\\'),
  'a long target': get(`/${'a'.repeat(7_000)}`),
  'a target of a hundred thousand characters': get(`/${'a'.repeat(100_000)}`),
  'a huge header': `GET / HTTP/1.1\r\n${HOST}X-Long: ${'a'.repeat(200_000)}\r\n\r\n`,
  'ten thousand headers': `GET / HTTP/1.1\r\n${HOST}${'X-A: b\r\n'.repeat(10_000)}\r\n`,
  'no host': `GET / HTTP/1.1\r\n${CLOSE}\r\n`,
  'two hosts': `GET / HTTP/1.1\r\n${HOST}Host: evil.example\r\n${CLOSE}\r\n`,
  'a host that is none': `GET / HTTP/1.1\r\nHost: //[\r\n${CLOSE}\r\n`,
  'HTTP/0.9': 'GET /\r\n',
  'HTTP/1.0': 'GET // HTTP/1.0\r\n\r\n',
  'HTTP/2 with prior knowledge': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  TLS: Buffer.from('16030100c8010000c40303', 'hex'),
  'an unknown method': `BREW //  HTTP/1.1\r\n${HOST}\r\n`,
  'a method of many letters': `${'A'.repeat(50_000)} / HTTP/1.1\r\n${HOST}\r\n`,
  CONNECT: `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`,
  'CONNECT to two slashes': `CONNECT // HTTP/1.1\r\n${HOST}\r\n`,
  'OPTIONS *': `OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  TRACE: `TRACE // HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  'an upgrade': `GET // HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  'an expectation that cannot be met': `GET // HTTP/1.1\r\n${HOST}${CLOSE}Expect: tea\r\n\r\n`,
  'an expectation of 100-continue': `POST // HTTP/1.1\r\n${HOST}${CLOSE}Expect: 100-continue\r\nContent-Length: 0\r\n\r\n`,
  'a body that does not come': `POST // HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\nhalf`,
  'a body with a GET': `GET // HTTP/1.1\r\n${HOST}${CLOSE}Content-Length: 4\r\n\r\nbody`,
  'a broken chunk': `POST // HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
  'two lengths': `POST // HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  'a length and chunks': `POST // HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a negative length': `POST // HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`,
  'a header without a colon': `GET / HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`,
  'a folded header': `GET / HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n${CLOSE}\r\n`,
  'a bare line feed': `GET // HTTP/1.1\n${HOST.trim()}\n\n`,
  'half of a request line': 'GE',
  'half of the headers': `GET // HTTP/1.1\r\n${HOST}X-Half`,
  'fifty requests at once': get('//').replace(CLOSE, '').repeat(50),
  'requests and garbage at once': `${get('//').replace(CLOSE, '')}\0\0\0\0`,
  nothing: '',
  zeros: Buffer.alloc(4_096),
  'high bytes': Buffer.alloc(4_096, 0xff),
};

/** Random bytes, and random requests of parts that parsers treat specially. */
export const anyRawRequest: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .record({
      method: fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT', 'PURGE', 'get', ''),
      target: fc
        .array(
          fc.oneof(
            fc.constantFrom(
              '/',
              '//',
              '?',
              '#',
              '@',
              ':',
              '[',
              ']',
              '%',
              '%2f',
              '\\',
              '..',
              ' ',
              'http:',
              '*',
            ),
            fc.constantFrom('healthz', 'metrics', 'evil.example', '99999'),
            fc.string({ maxLength: 5 }),
          ),
          { maxLength: 6 },
        )
        .map((parts) => parts.join('')),
      version: fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', ''),
      headers: fc.array(
        fc.constantFrom(
          'Host: localhost',
          'Host: [',
          'Connection: close',
          'Connection: upgrade',
          'Upgrade: h2c',
          'Transfer-Encoding: chunked',
          'Content-Length: 3',
          'Expect: 100-continue',
          'X: \u0000',
          ': empty',
        ),
        { maxLength: 4 },
      ),
      body: fc.string({ maxLength: 10 }),
    })
    .map(({ method, target, version, headers, body }) =>
      Buffer.from(
        `${method} ${target} ${version}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${body}`,
      ),
    ),
);

/**
 * Sends bytes and resolves with the whole response once the server has closed the connection. `end`: whether the client
 * closes its side after the bytes, which a server may treat as a disconnect.
 */
export function exchangeRaw(
  port: number,
  bytes: string | Buffer,
  { host = '127.0.0.1', end = true }: { host?: string; end?: boolean } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ port, host }, () => {
      if (end) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => (received += text));
    // A server may reset the connection of a client whose request it refused.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(received));
  });
}

/** Opens a connection, sends bytes and keeps it open. Resolves once the bytes are written. */
export function holdConnection(
  port: number,
  bytes: string,
  host = '127.0.0.1',
): Promise<{ destroy(): void }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host }, () => {
      socket.write(bytes);
      resolve(socket);
    });
    socket.once('error', reject);
    socket.once('connect', () => socket.on('error', () => socket.destroy()));
  });
}

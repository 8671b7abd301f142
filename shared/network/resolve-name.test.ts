import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResolver, type ResolveName } from './resolve-name.server';

/** The addresses of the names that the name server of this test knows; it does not answer for `slow…`. */
const KNOWN: Record<string, Record<number, number[]>> = {
  'shop.example': { 1: [8, 8, 8, 8], 28: [0x26, 0x06, 0x47, ...Array<number>(13).fill(0)] },
  'old.example': { 1: [8, 8, 4, 4] },
  'empty.example': {},
};
const NAME_ERROR = 3;

/** Answers a query with one question (RFC 1035, section 4). Null: no answer. */
function answerTo(query: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.').toLowerCase();
  if (name.startsWith('slow')) return null;
  const data = KNOWN[name]?.[query.readUInt16BE(at + 1)];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (KNOWN[name] === undefined ? NAME_ERROR : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(data === undefined ? 0 : 1, 6);
  const question = query.subarray(12, at + 5);
  if (data === undefined) return Buffer.concat([header, question]);
  const [high = 0, low = 0] = query.subarray(at + 1, at + 3);
  return Buffer.concat([
    header,
    question,
    Buffer.from([0xc0, 12, high, low, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
  ]);
}

const server = createSocket('udp4');
let resolve: ResolveName;
beforeAll(async () => {
  server.on('message', (query, { port, address }) => {
    const answer = answerTo(query);
    if (answer !== null) server.send(answer, port, address);
  });
  await new Promise<void>((ready) => server.bind(0, '127.0.0.1', ready));
  resolve = createResolver({ servers: [`127.0.0.1:${server.address().port}`] });
});
afterAll(() => void server.close());

test('a name resolves to its addresses of both families', async () => {
  expect(await resolve('shop.example')).toEqual(['8.8.8.8', '2606:4700::']);
  expect(await resolve('old.example')).toEqual(['8.8.4.4']);
});

test('a name that does not exist or has no address gives another error than a name server that does not answer', async () => {
  for (const name of ['gone.example', 'empty.example'])
    await expect(resolve(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  const dead = createResolver({ servers: ['127.0.0.1:1'] });
  await expect(dead('shop.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});

test('names whose name server hangs delay neither other names nor the thread pool, and are given up', async () => {
  const impatient = createResolver({ servers: [`127.0.0.1:${server.address().port}`], timeoutMs: 2_000 });
  const hanging = Array.from({ length: 20 }, (_, index) =>
    impatient(`slow-${index}.example`).catch((error: unknown) => error),
  );
  const first = await Promise.race([...hanging, impatient('shop.example').then(() => lookup('localhost'))]);
  expect(first).toMatchObject({ address: expect.any(String) });
  for (const error of await Promise.all(hanging)) expect(error).toMatchObject({ code: 'EAI_AGAIN' });
});

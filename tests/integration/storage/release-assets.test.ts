import { createServer, type Server } from 'node:http';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR } from '#shared/clock';
import { createReleaseAssets, keepReleaseAssets } from '~/http/files/release-assets.server';
import { eventually } from '../../eventually';

let folder: string;
let dataDir: string;
let now: number;
const clock = { now: () => now };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-assets-'));
  dataDir = join(folder, 'data');
  now = Date.parse('2026-11-20T12:00:00Z');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the folder of a build with these files. */
function build(release: string, files: Record<string, string>): string {
  const buildFolder = join(folder, release);
  mkdirSync(buildFolder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(buildFolder, name), content);
  return buildFolder;
}

const kept = () => readdirSync(join(dataDir, 'assets')).sort();

test('files of an ended release are kept for a day after it ended, however long it ran', async () => {
  const first = build('first', { 'root-1.js': 'one', 'same.css': 'same' });
  const second = build('second', { 'root-2.js': 'two', 'same.css': 'same' });
  await keepReleaseAssets({ buildFolder: first, dataDir, clock });
  now += 30 * DAY;
  await keepReleaseAssets({ buildFolder: first, dataDir, clock });
  await keepReleaseAssets({ buildFolder: second, dataDir, clock });
  expect(kept()).toEqual(['root-1.js', 'root-2.js', 'same.css']);
  now += 23 * HOUR;
  await keepReleaseAssets({ buildFolder: second, dataDir, clock });
  expect(kept()).toContain('root-1.js');
  now += 2 * HOUR;
  await keepReleaseAssets({ buildFolder: second, dataDir, clock });
  expect(kept()).toEqual(['root-2.js', 'same.css']);
});

test('a release that is started again after another one keeps its files', async () => {
  const first = build('first', { 'root-1.js': 'one' });
  const second = build('second', { 'root-2.js': 'two' });
  for (const buildFolder of [first, second, first]) {
    await keepReleaseAssets({ buildFolder, dataDir, clock });
    now += 20 * HOUR;
  }
  now += 20 * HOUR;
  await keepReleaseAssets({ buildFolder: first, dataDir, clock });
  expect(kept()).toEqual(['root-1.js']);
});

test('many releases in a day keep 64 MB, the last to end first', async () => {
  const size = 30 * 1024 * 1024;
  for (const release of ['1', '2', '3', '4']) {
    const buildFolder = build(release, { [`root-${release}.js`]: 'x'.repeat(size) });
    await keepReleaseAssets({ buildFolder, dataDir, clock });
    now += HOUR;
  }
  expect(kept()).toEqual(['root-2.js', 'root-3.js', 'root-4.js']);
});

async function listen(buildFolder: string): Promise<{ origin: string; server: Server }> {
  const serve = createReleaseAssets({
    loadBuildFolder: () => Promise.resolve(buildFolder),
    dataDir,
    clock,
    log: pino({ level: 'silent' }),
  });
  const server = createServer((request, response) =>
    serve(request, response, () => response.writeHead(404).end('Remix')),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('they are served under their old address, and nothing else of the folder is', async () => {
  await keepReleaseAssets({ buildFolder: build('first', { 'root-1.js': 'one' }), dataDir, clock });
  const { origin, server } = await listen(build('second', { 'root-2.js': 'two' }));
  try {
    await eventually(async () => expect((await fetch(`${origin}/assets/root-1.js`)).status).toBe(200));
    const answer = await fetch(`${origin}/assets/root-1.js?v=1`);
    expect(await answer.text()).toBe('one');
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
    await eventually(() => expect(kept()).toContain('root-2.js'));
    for (const path of ['root-2.js', 'never.js', '.root-1.js.1', '..%2f..%2fpackwatch.db', 'a/b.js', ''])
      expect(await (await fetch(`${origin}/assets/${path}`)).text(), path).toBe('Remix');
    expect((await fetch(`${origin}/assets/root-1.js`, { method: 'POST' })).status).toBe(404);
  } finally {
    server.close();
  }
});

test("the running release's scripts are sent in Brotli to a browser that takes it, and by Remix to others", async () => {
  const script = 'export const text = "a script";';
  const compressed = brotliCompressSync(script);
  const buildFolder = build('first', { 'root-1.js': script, 'font-1.woff2': 'letters' });
  writeFileSync(join(buildFolder, 'root-1.js.br'), compressed);
  const { origin, server } = await listen(buildFolder);
  const ask = (path: string, encoding: string) =>
    fetch(`${origin}/assets/${path}`, { headers: { 'Accept-Encoding': encoding } });
  try {
    await eventually(async () =>
      expect((await ask('root-1.js', 'br')).headers.get('content-encoding')).toBe('br'),
    );
    const answer = await ask('root-1.js', 'gzip, deflate, br, zstd');
    expect(await answer.text()).toBe(script);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'content-length': String(compressed.byteLength),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    const other = await ask('root-1.js', 'gzip, br;q=0');
    expect([await other.text(), other.headers.get('vary')]).toEqual(['Remix', 'Accept-Encoding']);
    expect(other.headers.get('content-encoding')).toBeNull();
    expect(await (await ask('font-1.woff2', 'br')).text()).toBe('Remix');
    await eventually(() => expect(kept()).toContain('root-1.js'));
    expect(kept()).not.toContain('root-1.js.br');
  } finally {
    server.close();
  }
});

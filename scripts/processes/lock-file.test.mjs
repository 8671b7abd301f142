import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tryLock, waitForLock } from './lock-file.mjs';
import { processIdentity } from './process-identity.mjs';

let folder;
let path;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-lock-'));
  path = join(folder, 'run.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a second process gets the holder of the lock and its note', () => {
  const first = tryLock(path, { address: 'http://localhost:3000' });
  expect(first.stale).toBe(false);
  expect(tryLock(path).holder).toMatchObject({ pid: process.pid, address: 'http://localhost:3000' });
  first.release();
  expect(readdirSync(folder)).toEqual([]);
});

it('a lock of a dead process is reclaimed, even when its process id is in use again', () => {
  writeFileSync(path, JSON.stringify({ pid: process.pid, identity: 'an earlier process' }));
  expect(tryLock(path).stale).toBe(true);
  expect(JSON.parse(readFileSync(path, 'utf8')).identity).toBe(processIdentity(process.pid));
});

it('a lock that is not JSON is reclaimed', () => {
  writeFileSync(path, '{"pid":');
  expect(tryLock(path).stale).toBe(true);
});

it('a lock is not reclaimed while the reaper of its holder still cleans up', () => {
  const reaper = { pid: process.pid, identity: processIdentity(process.pid) };
  writeFileSync(path, JSON.stringify({ pid: 1, identity: 'gone', reaper }));
  expect(tryLock(path)).toEqual({ ending: reaper });
});

it('a waiting process gets the lock once it is released', async () => {
  const first = tryLock(path);
  let waitedFor = null;
  const second = waitForLock(path, {
    onWait: (holder) => {
      waitedFor = holder.pid;
      first.release();
    },
  });
  expect((await second).stale).toBe(false);
  expect(waitedFor).toBe(process.pid);
});

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, processIdentity } from './process-identity.mjs';

const RETRY_MS = 200;

/**
 * Takes the lock file `path` and records this process and `details` in it. Returns `{ release, stale }` (`stale`: the last
 * holder ended without releasing it), `{ holder }` (the process that holds it), or `{ ending }` while the reaper of a
 * killed holder (recorded as `details.reaper`) is still cleaning up.
 */
export function tryLock(path, details = {}) {
  mkdirSync(dirname(path), { recursive: true });
  const content = JSON.stringify({ ...details, pid: process.pid, identity: processIdentity(process.pid) });
  const own = `${path}.${process.pid}`;
  let stale = false;
  for (;;) {
    writeFileSync(own, content, { mode: 0o600 });
    try {
      // Linking is atomic; creating a file and then writing it is not.
      linkSync(own, path);
      return { stale, release: () => releaseIfOurs(path, content) };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(own, { force: true });
    }
    const found = readLock(path);
    if (found === null) continue;
    if (isSameProcess(found.holder)) return { holder: found.holder };
    if (isSameProcess(found.holder?.reaper)) return { ending: found.holder.reaper };
    stale = true;
    discard(path, found.text);
  }
}

/** Waits for the lock while another process holds it. Calls `onWait(holder)` once when waiting begins. */
export async function waitForLock(path, { details = {}, onWait = () => {} } = {}) {
  for (let notified = false; ;) {
    const lock = tryLock(path, details);
    if (lock.release !== undefined) return lock;
    if (lock.holder !== undefined && !notified) {
      notified = true;
      onWait(lock.holder);
    }
    await sleep(RETRY_MS);
  }
}

function readLock(path) {
  try {
    const text = readFileSync(path, 'utf8');
    return { text, holder: parse(text) };
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Moves the stale file aside and compares it, because another process may have taken the lock in between.
function discard(path, staleText) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== staleText) linkSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function releaseIfOurs(path, content) {
  if (readLock(path)?.text === content) rmSync(path, { force: true });
}

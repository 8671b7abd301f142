import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  besideRunning,
  readRunningEnvironment,
  removeRunningEnvironment,
  writeRunningEnvironment,
} from './running-environment.mjs';

let dataDir;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'packwatch-environment-'))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

it('variables set by a person take precedence over those of a run, and an empty value counts as unset', () => {
  const merged = besideRunning(
    { PORT: '4000', REDIS_URL: ' ', HOME: '/home/ann' },
    { PORT: '3000', REDIS_URL: 'unix:///r.sock' },
  );
  expect(merged).toEqual({ PORT: '4000', REDIS_URL: 'unix:///r.sock', HOME: '/home/ann' });
});

it('another process of the same user reads the variables of a run', () => {
  writeRunningEnvironment(dataDir, { REDIS_URL: 'unix:///r.sock' });
  expect(readRunningEnvironment(dataDir)).toEqual({ REDIS_URL: 'unix:///r.sock' });
  expect(statSync(join(dataDir, 'run', 'environment.json')).mode & 0o777).toBe(0o600);
});

it('the variables of a run are ignored once the run has ended', () => {
  writeRunningEnvironment(dataDir, { REDIS_URL: 'unix:///r.sock' });
  const file = join(dataDir, 'run', 'environment.json');
  // The process id of the run, reused by another process after a crash.
  writeFileSync(
    file,
    JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), identity: 'an earlier process' }),
  );
  expect(readRunningEnvironment(dataDir)).toEqual({});
  removeRunningEnvironment(dataDir);
  expect(readRunningEnvironment(dataDir)).toEqual({});
});

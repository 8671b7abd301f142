import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { eventually } from '../../tests/eventually';
import { ownProcesses } from './owned-processes.mjs';
import { processIdentity } from './process-identity.mjs';

// A child that starts a grandchild.
const FAMILY = `
  const { spawn } = require('node:child_process');
  const grandchild = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  console.log(process.pid + ' ' + grandchild.pid);
  setInterval(() => {}, 1000);
`;

// The same, but it ignores SIGTERM, as a hung process does.
const STUBBORN_FAMILY = `process.on('SIGTERM', () => {}); ${FAMILY}`;

const isGone = (pid) => processIdentity(pid) === null;

async function readPids(stream) {
  stream.setEncoding('utf8');
  const [line] = await once(stream, 'data');
  return line.trim().split(' ').map(Number);
}

it('children and grandchildren of a process end when it is killed with SIGKILL', async () => {
  const source = new URL('owned-processes.mjs', import.meta.url).href;
  const code = `
    const { ownProcesses } = await import(${JSON.stringify(source)});
    ownProcesses().start(process.execPath, ['-e', ${JSON.stringify(FAMILY)}], { stdio: ['ignore', 'inherit', 'ignore'] });
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pids = await readPids(parent.stdout);
  parent.kill('SIGKILL');
  await eventually(() => expect(pids.every(isGone)).toBe(true));
});

it('a process that does not stop in time is killed with its children', async () => {
  const processes = ownProcesses();
  const child = processes.start(process.execPath, ['-e', STUBBORN_FAMILY]);
  const pids = await readPids(child.stdout);
  await processes.stop(child, 50);
  await eventually(() => expect(pids.every(isGone)).toBe(true));
  await processes.close(0);
});

it('a failed command returns the end of its output', async () => {
  const processes = ownProcesses();
  const result = await processes.run(process.execPath, [
    '-e',
    'console.log("working"); console.error("broken"); process.exitCode = 3',
  ]);
  expect(result).toMatchObject({ ok: false, code: 3 });
  expect(result.output.split('\n').sort()).toEqual(['broken', 'working']);
  await processes.close(0);
});

it('a program that does not exist is reported, not thrown', async () => {
  const processes = ownProcesses();
  expect(await processes.run('packwatch-no-such-program', [])).toMatchObject({
    ok: false,
    fault: { code: 'ENOENT' },
  });
  await processes.close(0);
});

import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownProcesses } from './owned-processes.mjs';
import { createSupervisor } from './supervisor.mjs';

let processes;
beforeEach(() => (processes = ownProcesses()));
afterEach(() => processes.close(0));

const node = (code) => () => ({ command: process.execPath, args: ['-e', code], quiet: true });
const silent = { print: () => {} };

it('a process that is killed is started again', async () => {
  const supervisor = createSupervisor({ processes, reporter: silent, onGiveUp: () => {} });
  const ready = [];
  let secondReady;
  const again = new Promise((resolve) => (secondReady = resolve));
  await supervisor.start('worker', {
    describe: node('console.log("up"); setInterval(() => {}, 1000)'),
    ready: async (child) => {
      await once(child.stdout, 'data');
      if (ready.push(child.pid) === 2) secondReady();
    },
  });
  process.kill(supervisor.pids().worker, 'SIGKILL');
  await again;
  expect(new Set(ready).size).toBe(2);
  await supervisor.stop([['worker']]);
  expect(supervisor.pids()).toEqual({});
});

it('a program that cannot be started fails with the reason', async () => {
  const givenUp = new Promise((resolve) => {
    const supervisor = createSupervisor({
      processes,
      reporter: silent,
      onGiveUp: (name, log) => resolve({ name, log }),
    });
    const describe = () => ({ command: 'packwatch-no-such-program', args: [], quiet: true });
    void supervisor.start('worker', {
      describe,
      ready: (_child, signal) => once(signal, 'abort').then(() => Promise.reject(new Error('gone'))),
    });
  });
  expect(await givenUp).toMatchObject({ name: 'worker', log: expect.stringContaining('ENOENT') });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundlePrograms, type BundledPrograms } from '../bundled-programs';
import { startChild } from '../child-process';

const PROGRAM = 'tests/integration/daemon/blocked-loop.ts';

let programs: BundledPrograms;
beforeAll(async () => {
  programs = await bundlePrograms([PROGRAM]);
});
afterAll(() => programs.remove());

it('a process whose loop stands still is killed, and its log says in which function; a stopped one is not', async () => {
  const child = startChild([programs.fileOf(PROGRAM)], {});
  const grows = async () => {
    const { length } = child.stdout();
    await expect.poll(() => child.stdout().length, { timeout: 20_000 }).toBeGreaterThan(length + 10);
  };
  await grows();

  child.signal('SIGSTOP');
  // A machine that sleeps: no state changes, so the test waits for longer than the limit.
  await sleep(2_000);
  child.signal('SIGCONT');
  await grows();

  child.signal('SIGUSR2');
  expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(JSON.parse(child.stdout().replace(/^\.+/, ''))).toMatchObject({
    level: 'fatal',
    part: 'fixture',
    pid: child.pid,
    running: expect.arrayContaining([expect.stringMatching(/^blockTheLoop \(/)]) as string[],
    msg: 'the event loop has stood still for 1.5 s: this process ends, to be started again',
  });
});

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
    await expect.poll(() => child.stdout().length).toBeGreaterThan(length + 10);
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

it('a loop that a debugger has paused stays; one that a debugger keeps busy does not', async () => {
  const child = startChild(['--inspect=127.0.0.1:0', programs.fileOf(PROGRAM)], {});
  await expect.poll(() => child.stdout().length).toBeGreaterThan(0);
  const debuggerOf = new WebSocket(/ws:\/\/\S+/.exec(child.stderr())?.[0] ?? '');
  const received: string[] = [];
  debuggerOf.addEventListener('message', ({ data }) => received.push(String(data)));
  await new Promise((resolve) => debuggerOf.addEventListener('open', resolve));
  const send = (method: string, params = {}) =>
    debuggerOf.send(JSON.stringify({ id: received.length + 1, method, params }));
  const has = (event: string) =>
    expect.poll(() => received.some((message) => message.includes(`"Debugger.${event}"`))).toBe(true);

  send('Debugger.enable');
  send('Debugger.pause');
  await has('paused');
  // Nothing changes while it is paused, so the test waits for longer than the limit.
  await sleep(2_500);
  send('Debugger.resume');
  await has('resumed');

  send('Runtime.evaluate', { expression: 'for (;;);' });
  expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
  expect(child.stdout()).toContain('the event loop has stood still for 1.5 s');
});

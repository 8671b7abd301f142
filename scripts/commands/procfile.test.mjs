import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../tests/free-port.ts';
import { ownProcesses } from '../processes/owned-processes.mjs';
import { runProcfile } from './procfile.mjs';

let processes;
beforeEach(() => (processes = ownProcesses()));
afterEach(() => processes.close(0));

/** A process that answers with its id, as a service that is healthy. */
const service = (variable) =>
  `exec node -e "require('http').createServer((_, answer) => answer.end(String(process.pid))).listen(process.env.${variable})"`;

it('a process that is killed is started again, and the other one keeps running', async () => {
  const [PORT, DAEMON_PORT] = [String(await freePort()), String(await freePort())];
  let stopAll;
  const printed = [];
  const frame = {
    processes,
    reporter: { print: (line) => printed.push(line) },
    stop: () => {},
    onStop: (handler) => (stopAll = handler),
  };
  void runProcfile(frame, {
    lines: { release: 'npm run migrate', web: 'npm run start:web', daemon: service('DAEMON_PORT') },
    scripts: { migrate: 'true', 'start:web': service('PORT') },
    env: { ...process.env, PORT, DAEMON_PORT },
  });
  const pidAt = async (port) =>
    fetch(`http://127.0.0.1:${port}`).then(
      (answer) => answer.text(),
      () => null,
    );
  const until = async (port, isWanted) => {
    for (;;) {
      const pid = await pidAt(port);
      if (pid !== null && isWanted(pid)) return pid;
      await sleep(25);
    }
  };
  const web = await until(PORT, () => true);
  const daemon = await until(DAEMON_PORT, () => true);
  process.kill(Number(daemon), 'SIGKILL');
  await until(DAEMON_PORT, (pid) => pid !== daemon);
  expect(await pidAt(PORT)).toBe(web);
  expect(printed).toEqual(['! daemon ended unexpectedly (SIGKILL); starting it again in 0.2 s.']);
  await stopAll();
  expect([await pidAt(PORT), await pidAt(DAEMON_PORT)]).toEqual([null, null]);
});

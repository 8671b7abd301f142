import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../tests/free-port.ts';
import { ownProcesses } from '../processes/owned-processes.mjs';
import { ROOT } from '../project.mjs';
import { parseProcfile, runProcfile } from './procfile.mjs';

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

it('what copies the database ends after the processes that write it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-procfile-'));
  const [seen, PORT] = [join(folder, 'seen'), String(await freePort())];
  let stopAll;
  const frame = {
    processes,
    reporter: { print: () => {} },
    stop: () => {},
    onStop: (handler) => (stopAll = handler),
  };
  // On SIGTERM it writes whether web still answers.
  const copier = `exec node -e "
    const { writeFileSync } = require('fs');
    const write = (text) => writeFileSync(process.env.SEEN, text);
    process.on('SIGTERM', () => fetch('http://127.0.0.1:' + process.env.PORT)
      .then(() => write('web runs'), () => write('web has ended')).then(() => process.exit()));
    setInterval(() => {}, 1000);
    write('started');
  "`;
  void runProcfile(frame, {
    lines: { web: service('PORT'), litestream: copier },
    scripts: {},
    env: { ...process.env, PORT, SEEN: seen },
  });
  const read = () => {
    try {
      return readFileSync(seen, 'utf8');
    } catch {
      return null;
    }
  };
  const answers = () => fetch(`http://127.0.0.1:${PORT}`).then(Boolean, () => false);
  while (read() !== 'started' || !(await answers())) await sleep(25);
  await stopAll();
  expect(read()).toBe('web has ended');
  rmSync(folder, { recursive: true });
});

it('the lines of the second copy are those of the guide, and copy the database that the processes use', () => {
  const text = (name) => readFileSync(join(ROOT, name), 'utf8');
  const { release, litestream } = parseProcfile(
    text('Procfile').replace(/^# (?=(release|litestream): )/gm, ''),
  );
  expect(release).toMatch(/^litestream restore .* -if-db-not-exists .* && npm run migrate$/);
  expect(text('docs/operating.md')).toContain(litestream);
  const file = '$DATA_DIR/packwatch.db';
  expect(release).toContain(`"${file}"`);
  const { dbs } = parse(text('litestream.yml'));
  expect(dbs.map(({ path }) => path.replace('${DATA_DIR}', '$DATA_DIR'))).toEqual([file]);
  for (const [, name] of text('litestream.yml').matchAll(/\$\{(\w+)\}/g))
    expect(text('docs/operating.md')).toContain(`\`${name}\``);
  // The image has what these lines read.
  expect(text('Dockerfile')).toMatch(/^COPY .*litestream\.yml/m);
  expect(text('Dockerfile')).toMatch(/^# COPY --from=litestream\/litestream:[\d.]+ /m);
});

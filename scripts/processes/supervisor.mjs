import { setTimeout as sleep } from 'node:timers/promises';
import { createTail } from './owned-processes.mjs';

const RESTART_DELAYS_MS = [200, 1_000, 2_000, 4_000, 8_000, 10_000];
const MIN_HEALTHY_MS = 2_000;
const MAX_EXITS = 5;
const EXITS_WINDOW_MS = 60_000;
const STOP_GRACE_MS = 15_000;
const POLL_MS = 50;
const ANSWER_TIMEOUT_MS = 5_000;
const NOTICE_MS = 20_000;

/**
 * Keeps processes running: restarts one that ends, with growing pauses. Calls `onGiveUp(name, lastLines)` when a process
 * ends five times within a minute without becoming healthy, and `onChange()` when process ids change.
 */
export function createSupervisor({ processes, reporter, onGiveUp, onChange = () => {} }) {
  const members = new Map();
  const quitting = new AbortController();

  /**
   * Starts a process and resolves with the first result of its `ready`.
   *
   * `describe()` returns `{ command, args, env, input, quiet }` for each start (`quiet`: standard output is for `ready`, and
   * is printed only if the process does not stay up). `ready(child, signal)` resolves once the process serves, and must
   * reject when `signal` aborts.
   */
  function start(name, { describe, ready }) {
    return new Promise((resolve, reject) => {
      const member = { name, child: null, exits: [], delay: 0, tail: createTail() };
      members.set(name, member);
      quitting.signal.addEventListener('abort', () => reject(new Error(`${name} was stopped`)), {
        once: true,
      });
      keepRunning(member, { describe, ready }, resolve).catch(reject);
    });
  }

  async function keepRunning(member, { describe, ready }, onReady) {
    while (!quitting.signal.aborted) {
      const { command, args, env, input, quiet = false } = describe();
      const child = processes.start(command, args, {
        env,
        stdio: [input === undefined ? 'ignore' : 'pipe', quiet ? 'pipe' : terminalOrPipe(), 'pipe'],
      });
      member.child = child;
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
      follow(child, member.tail, quiet);
      onChange();

      const over = new AbortController();
      let healthySince = null;
      ready(child, over.signal).then(
        (value) => {
          healthySince = Date.now();
          member.exits = [];
          onReady(value);
        },
        () => {},
      );
      const { code, signal, fault } = await child.ended;
      over.abort();
      member.child = null;
      if (quitting.signal.aborted) return;
      onChange();

      const now = Date.now();
      member.delay = healthySince !== null && now - healthySince >= MIN_HEALTHY_MS ? 0 : member.delay;
      member.exits = [...member.exits.filter((at) => now - at < EXITS_WINDOW_MS), now];
      const reason = fault?.message ?? (signal === null ? `exit code ${code}` : signal);
      if (fault !== null || member.exits.length >= MAX_EXITS) {
        onGiveUp(member.name, `${member.tail.text()}\n(${reason})`);
        return;
      }
      const pause = RESTART_DELAYS_MS[Math.min(member.delay, RESTART_DELAYS_MS.length - 1)];
      member.delay += 1;
      reporter.print(
        `! ${member.name} ended unexpectedly (${reason}); starting it again in ${pause / 1000} s.`,
      );
      await sleep(pause, null, { signal: quitting.signal }).catch(() => {});
    }
  }

  /** Ids of the running processes, by name. */
  function pids() {
    return Object.fromEntries(
      [...members.values()]
        .filter(({ child }) => child?.pid !== undefined)
        .map(({ name, child }) => [name, child.pid]),
    );
  }

  /** Stops the processes group by group, in the given order. Kills a group after 15 s. */
  async function stop(groups) {
    quitting.abort();
    for (const group of groups) {
      await Promise.all(
        group.map((name) => {
          const child = members.get(name)?.child;
          return child ? processes.stop(child, STOP_GRACE_MS) : null;
        }),
      );
    }
  }

  return { start, stop, pids };
}

// On a terminal a process writes to it directly, so that it can detect the terminal. Standard error is always piped.
function terminalOrPipe() {
  return process.stdout.isTTY === true ? 'inherit' : 'pipe';
}

// Forwards whole lines only, so that the output of two processes never mixes within a line.
function follow(child, tail, quiet) {
  for (const [stream, target] of [
    [child.stdout, quiet ? null : process.stdout],
    [child.stderr, process.stderr],
  ]) {
    let open = '';
    stream?.setEncoding('utf8');
    stream?.on('data', (text) => {
      tail.add(text);
      const end = text.lastIndexOf('\n') + 1;
      if (end > 0) target?.write(open + text.slice(0, end));
      open = (end > 0 ? '' : open) + text.slice(end);
    });
    stream?.once('close', () => open !== '' && target?.write(`${open}\n`));
  }
}

/** The addresses where web and daemon report their health, for a client on this machine. */
export function healthAddresses({ PORT, DAEMON_HOST, DAEMON_PORT }) {
  return {
    web: `http://localhost:${PORT?.trim() || '3000'}/healthz`,
    daemon: `http://${daemonAuthority(DAEMON_HOST?.trim() || '127.0.0.1', DAEMON_PORT?.trim() || '3001')}/healthz`,
  };
}

// Clients cannot connect to a wildcard address.
function daemonAuthority(host, port) {
  if (host === '0.0.0.0' || host === '::') return `localhost:${port}`;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Resolves once `url` responds with success; rejects when `signal` aborts. Calls `onNotice(failure)` every 20 s. */
export async function waitForHealth(url, { signal, onNotice }) {
  for (let noticeAt = Date.now() + NOTICE_MS; ;) {
    signal.throwIfAborted();
    const seen = await probe(url, signal);
    if (seen === null) return;
    if (Date.now() >= noticeAt) {
      noticeAt = Date.now() + NOTICE_MS;
      onNotice(seen);
    }
    await sleep(POLL_MS, null, { signal });
  }
}

async function probe(url, signal) {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    const text = await answer.text();
    return answer.ok ? null : `status ${answer.status}: ${text.slice(0, 200)}`;
  } catch (error) {
    return error.cause?.code ?? error.message;
  }
}

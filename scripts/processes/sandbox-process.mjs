import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstFreePort } from '../setup/ports.mjs';
import { runDirectory } from '../project.mjs';

const HTTP_PORT = 4010;
const SMTP_PORT = 4025;

/** The ports for the sandbox: those a person set, else those this data folder used last, else the usual, else any. */
export async function chooseSandboxPorts(environment, dataDir) {
  const last = readPorts(dataDir);
  const choose = (given, candidates) =>
    given ? Number(given) : firstFreePort(candidates.filter((port) => Number.isInteger(port)));
  return {
    http: await choose(environment.SANDBOX_PORT, [last.http, HTTP_PORT]),
    smtp: await choose(environment.SANDBOX_SMTP_PORT, [last.smtp, SMTP_PORT]),
  };
}

/** Keeps the ports in use, so that webhook addresses in the data stay true the next time. */
export function rememberSandboxPorts(dataDir, ready) {
  const ports = portsOf(ready);
  mkdirSync(runDirectory(dataDir), { recursive: true });
  writeFileSync(fileIn(dataDir), JSON.stringify(ports));
  return ports;
}

/** Resolves with the JSON line that the sandbox prints when it serves; rejects when `signal` aborts. */
export function readSandboxReady(child, signal) {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk) => {
      text += chunk;
      const ready = text
        .split('\n')
        .slice(0, -1)
        .map(parseReady)
        .find((line) => line !== null);
      if (ready === undefined) return;
      child.stdout.off('data', onData);
      resolve(ready);
    };
    child.stdout.on('data', onData);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function parseReady(line) {
  try {
    const value = JSON.parse(line);
    return typeof value?.origin === 'string' && typeof value.smtpUrl === 'string' ? value : null;
  } catch {
    return null;
  }
}

function portsOf(ready) {
  return { http: Number(new URL(ready.origin).port), smtp: Number(new URL(ready.smtpUrl).port) };
}

function readPorts(dataDir) {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8'));
  } catch {
    return {};
  }
}

function fileIn(dataDir) {
  return join(runDirectory(dataDir), 'sandbox-ports.json');
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runDirectory } from '../project.mjs';

const HTTP_PORT = 4010;
const SMTP_PORT = 4025;

/** The sandbox's ports: those that are set, else those last used with this data folder, else the defaults, else free ones. */
export async function chooseSandboxPorts(environment, dataDir) {
  const last = readPorts(dataDir);
  const choose = (given, candidates) =>
    given ? Number(given) : firstFreePort(candidates.filter((port) => Number.isInteger(port)));
  return {
    http: await choose(environment.SANDBOX_PORT, [last.http, HTTP_PORT]),
    smtp: await choose(environment.SANDBOX_SMTP_PORT, [last.smtp, SMTP_PORT]),
  };
}

/** Stores the ports in use, so that webhook URLs in the database stay valid at the next start. */
export function saveSandboxPorts(dataDir, ready) {
  const ports = portsOf(ready);
  mkdirSync(runDirectory(dataDir), { recursive: true });
  writeFileSync(filePath(dataDir), JSON.stringify(ports));
  return ports;
}

/** Resolves with the JSON line that the sandbox prints when it is ready; rejects when `signal` aborts. */
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
    return JSON.parse(readFileSync(filePath(dataDir), 'utf8'));
  } catch {
    return {};
  }
}

function filePath(dataDir) {
  return join(runDirectory(dataDir), 'sandbox-ports.json');
}

/** Whether a process can listen on the port, on all addresses and on the loopback address. */
export async function isPortFree(port) {
  return (await canListen(port)) && (await canListen(port, '127.0.0.1'));
}

/** The first free port of the list, or 0, which lets the system choose. */
async function firstFreePort(ports) {
  for (const port of ports) if (await isPortFree(port)) return port;
  return 0;
}

function canListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Upload } from 'tus-js-client';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { migrateFileToLatest } from '#shared/database/sqlite/migrator.server';
import { migrations } from '../../../migrations/all-migrations';
import { startCuttingProxy, type Cut } from '../../cutting-proxy';
import { startRemix, type BenchedServer } from '../page-load/servers';
import { seedAdmin, writeProgram } from './seed-release';

const MEBIBYTE = 1024 * 1024;
const FILE_BYTES = 1024 * MEBIBYTE;
const WARM_UP_BYTES = 32 * MEBIBYTE;
const MEMORY_STEP_MS = 50;
/** Where the line breaks, in bytes since the previous break. */
const CUTS = [200 * MEBIBYTE, 330 * MEBIBYTE, 270 * MEBIBYTE];
/** Exit statuses of curl when the line broke: a partial file, and a failure in receiving (man curl, "EXIT CODES"). */
const CURL_BROKEN = [18, 56];

/** One way of a file through a line that breaks three times. */
interface Transfer {
  ms: number;
  cuts: number;
  /** Bytes that crossed the line beyond the file: headers, and what was sent again. */
  extraBytes: number;
  /** Resident memory of the web process in MiB before and at its highest; null on systems without /proc. */
  memory: { before: number; peak: number } | null;
}

export interface UploadFigures {
  fileBytes: number;
  upload: Transfer;
  download: Transfer;
  /** Of the file on the uploader's disk, as the server states it, and of the downloaded file. */
  sha256: { sent: string; stored: string; received: string };
}

/** Runs a transfer through a proxy that breaks the line. `transfer` gets the origin of the proxy. */
async function throughCuts(
  server: BenchedServer,
  direction: Cut['direction'],
  transfer: (origin: string) => Promise<void>,
): Promise<Transfer> {
  const cuts = CUTS.map((afterBytes) => ({ direction, afterBytes }));
  const proxy = await startCuttingProxy(Number(new URL(server.origin).port), cuts);
  const before = server.memory()?.now;
  let peak = before ?? 0;
  let running = true;
  const startedAt = performance.now();
  const memory = (async () => {
    while (running) {
      peak = Math.max(peak, server.memory()?.now ?? 0);
      await sleep(MEMORY_STEP_MS);
    }
  })();
  try {
    await transfer(proxy.url);
    return {
      ms: performance.now() - startedAt,
      cuts: proxy.cutsMade(),
      extraBytes: proxy.forwarded()[direction] - FILE_BYTES,
      memory: before === undefined ? null : { before, peak },
    };
  } finally {
    running = false;
    await memory;
    await proxy.close();
  }
}

interface UploadedFile {
  path: string;
  version: string;
  token: string;
}

/** Uploads with the client of the admin screen. */
function uploadFile(origin: string, { path, version, token }: UploadedFile): Promise<void> {
  return new Promise((resolve, reject) => {
    new Upload(createReadStream(path), {
      endpoint: `${origin}/api/downloads/uploads`,
      headers: { Authorization: `Bearer ${token}` },
      metadata: { filename: 'setup.exe', version, platform: 'windows' },
      retryDelays: [0, 500, 1_000],
      onSuccess: () => resolve(),
      onError: reject,
    }).start();
  });
}

/** Downloads with `curl -C -`, which continues where the line broke. */
async function downloadFile(url: string, { path, token }: { path: string; token: string }): Promise<void> {
  for (;;) {
    const options = ['--silent', '--fail', '-C', '-', '-o', path, '-H', `Authorization: Bearer ${token}`];
    const curl = spawn('curl', [...options, url], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [status] = (await once(curl, 'exit')) as [number | null];
    if (status === 0) return;
    if (status === null || !CURL_BROKEN.includes(status)) throw new Error(`curl ended with ${status}`);
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: MEBIBYTE })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The SHA-256 of the latest Windows file, as the API states it. */
async function storedSha256(origin: string, token: string): Promise<string> {
  const response = await fetch(`${origin}/api/downloads/latest`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const latest = (await response.json()) as { platforms: { windows?: { sha256: string } } };
  return latest.platforms.windows?.sha256 ?? '';
}

/**
 * An admin uploads a file of 1 GB to the web process as `npm start` serves it, and a member downloads it with curl, each
 * over a line that breaks three times. Throws when the file arrives damaged.
 */
export async function measureUpload(): Promise<UploadFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'packwatch-upload-'));
  let server: BenchedServer | null = null;
  try {
    const databaseFile = join(folder, 'packwatch.db');
    await migrateFileToLatest(databaseFile, migrations);
    const db = openSqliteDatabase(databaseFile);
    const token = await seedAdmin(db);
    await db.destroy();
    const file = join(folder, 'setup.exe');
    writeProgram(file, FILE_BYTES);
    const small = join(folder, 'small.exe');
    writeProgram(small, WARM_UP_BYTES);

    const started = await startRemix(
      './build/server/index.js',
      {
        DATA_DIR: folder,
        REDIS_URL: process.env.REDIS_URL ?? '',
        SESSION_SECRET: 'a secret for as long as this run',
        LOG_LEVEL: 'info',
      },
      join(folder, 'ours.log'),
    );
    server = started;
    // The first upload compiles code.
    await uploadFile(started.origin, { path: small, version: '1.0.0', token });

    const upload = await throughCuts(started, 'up', (origin) =>
      uploadFile(origin, { path: file, version: '2.0.0', token }),
    );
    const received = join(folder, 'received.exe');
    const download = await throughCuts(started, 'down', (origin) =>
      downloadFile(`${origin}/api/downloads/windows`, { path: received, token }),
    );
    const sha256 = {
      sent: await sha256Of(file),
      stored: await storedSha256(started.origin, token),
      received: await sha256Of(received),
    };
    if (new Set(Object.values(sha256)).size !== 1)
      throw new Error(`the digests differ: ${JSON.stringify(sha256)}`);
    return { fileBytes: FILE_BYTES, upload, download, sha256 };
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

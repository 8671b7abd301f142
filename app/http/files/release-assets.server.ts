import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { DAY, type Clock } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import { encodingFor } from '../server/accepted-encoding.server';

/*
 * Open tabs and cached pages request the script files of the release that rendered them. A deployment replaces the folder
 * of the build, so the web process copies the build's files to DATA_DIR and serves those of ended releases from there.
 * File names contain a hash of the content, so a name is never reused.
 */

const ASSETS_PATH = '/assets/';
/** Names of files that Vite writes; none begins with a dot. */
const ASSET_NAME = /^[\w-][\w.-]{0,199}$/;
/** Ends the name of a file's copy in Brotli, which the build makes (vite.config.ts). */
const COMPRESSED = '.br';
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Same as remix-serve for the files of the running release (@remix-run/serve, cli.js). */
const RUNNING_MS = 365 * DAY;
/** How long the files of an ended release are served. */
const KEPT_MS = DAY;
/** The size limit for ended releases. One release has about 2 MB. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** Modification time of the files of the running release; that of others is the time when their release ended. */
const RUNNING = 0;

function assetsFolder(dataDir: string): string {
  return join(dataDir, 'assets');
}

async function listAssets(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => ASSET_NAME.test(name) && !name.endsWith(COMPRESSED));
}

async function copyAsset(name: string, from: string, to: string): Promise<void> {
  const target = join(to, name);
  const exists = await stat(target).then(
    () => true,
    () => false,
  );
  if (!exists) {
    // A file gets its name when it is complete, because another process may copy it at the same time.
    const part = join(to, `.${name}.${process.pid}`);
    await copyFile(join(from, name), part, constants.COPYFILE_FICLONE);
    await rename(part, target);
  }
  await utimes(target, RUNNING, RUNNING);
}

/**
 * Copies the build's files to `dataDir` and removes those of releases that ended more than a day ago, or beyond 64 MB the
 * ones that ended first. `buildFolder`: the folder whose files are served under `/assets/`. Rejects with the file
 * system's error.
 */
export async function keepReleaseAssets({
  buildFolder,
  dataDir,
  clock,
}: {
  buildFolder: string;
  dataDir: string;
  clock: Clock;
}): Promise<void> {
  const folder = assetsFolder(dataDir);
  await mkdir(folder, { recursive: true });
  const current = new Set(await listAssets(buildFolder));
  for (const name of await readdir(folder)) {
    // Left by a process that ended while copying; another process may still be writing a younger one.
    if (!name.startsWith('.')) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (clock.now() - mtimeMs > KEPT_MS) await rm(join(folder, name), { force: true });
  }
  for (const name of current) await copyAsset(name, buildFolder, folder);

  const now = clock.now();
  const ended: { file: string; endedAt: number; bytes: number }[] = [];
  for (const name of await listAssets(folder)) {
    if (current.has(name)) continue;
    const file = join(folder, name);
    const { mtimeMs, size } = await stat(file);
    if (mtimeMs === RUNNING) await utimes(file, now / 1_000, now / 1_000);
    ended.push({ file, endedAt: mtimeMs === RUNNING ? now : mtimeMs, bytes: size });
  }
  ended.sort((one, other) => other.endedAt - one.endedAt);
  let bytes = 0;
  for (const entry of ended) {
    bytes += entry.bytes;
    if (bytes > MAX_KEPT_BYTES || now - entry.endedAt > KEPT_MS) await rm(entry.file, { force: true });
  }
}

/**
 * Serves files of the running release in Brotli to clients that accept it, and files that only ended releases had. Calls
 * `next` for every other request.
 */
export type ServeAssets = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Copies the build's files in the background, and returns the handler of the files of ended releases. `loadBuildFolder`:
 * the folder whose files are served under `/assets/`. If copying fails, the log has a warning and only the running
 * release's files are served.
 */
export function createReleaseAssets({
  loadBuildFolder,
  dataDir,
  clock,
  log,
}: {
  loadBuildFolder: () => Promise<string>;
  dataDir: string;
  clock: Clock;
  log: Logger;
}): ServeAssets {
  let running: { folder: string; names: ReadonlySet<string> } | null = null;
  const start = async (): Promise<void> => {
    const folder = resolve(await loadBuildFolder());
    running = { folder, names: new Set(await readdir(folder)) };
    await keepReleaseAssets({ buildFolder: folder, dataDir, clock });
  };
  void start().catch((error: unknown) =>
    log.warn(
      { err: error },
      "could not keep this release's scripts for the pages that are open at the next one",
    ),
  );
  const root = assetsFolder(dataDir);

  return (request, response, next) => {
    const [path = ''] = (request.url ?? '/').split('?', 1);
    const name = path.startsWith(ASSETS_PATH) ? path.slice(ASSETS_PATH.length) : '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || running === null || !ASSET_NAME.test(name)) return next();
    if (!running.names.has(name)) {
      // Not for a year like the running release's files: files of ended releases may be removed after a day.
      void sendAsset(request, response, name, { next, root, maxAge: KEPT_MS });
      return;
    }
    const compressed = `${name}${COMPRESSED}`;
    const type = TYPES[extname(name)];
    if (type === undefined || !running.names.has(compressed)) return next();
    response.setHeader('Vary', 'Accept-Encoding');
    if (encodingFor(request.headers['accept-encoding']) !== 'br') return next();
    response.setHeader('Content-Encoding', 'br');
    response.setHeader('Content-Type', type);
    void sendAsset(request, response, compressed, {
      next,
      root: running.folder,
      maxAge: RUNNING_MS,
      immutable: true,
    });
  };
}

async function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  { next, ...options }: { next: () => void; root: string; maxAge: number; immutable?: boolean },
): Promise<void> {
  const { sendFile } = await import('./send-file.server');
  sendFile(request, name, { ...options, index: false, dotfiles: 'ignore', lastModified: false })
    .on('error', () => {
      if (response.headersSent) return void response.destroy();
      response.removeHeader('Content-Encoding');
      response.removeHeader('Content-Type');
      next();
    })
    .on('directory', next)
    .pipe(response);
}

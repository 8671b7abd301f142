import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { unpackNpmPackage } from './npm-package.mjs';
import { SetupFault } from './setup-fault.mjs';

/**
 * Chromium's headless shell in an npm package that brings everything it needs (github.com/Sparticuz/chromium). It has the
 * optimisations that distributions leave out.
 */
const PACKAGE = '@sparticuz/chromium';
const VERSION = '153.0.0';
const INTEGRITY =
  'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==';
const EXECUTABLE = 0o755;

/** The program's file name in the folder that `unpackNpmBrowser` fills. */
export const NPM_BROWSER = 'headless-shell';

/** Whether the package has a program for this system. */
export function hasNpmBrowser(platform = process.platform, arch = process.arch) {
  return platform === 'linux' && arch === 'x64';
}

/**
 * Fetches the browser from npm into the folder `target`: the program, its libraries in `lib` and its fonts in `fonts`.
 * Throws a `SetupFault` when that fails.
 */
export async function unpackNpmBrowser(target, processes) {
  const draft = join(target, 'package');
  const folder = await unpackNpmPackage(PACKAGE, VERSION, { draft, processes, integrity: INTEGRITY });
  const packed = (name) => join(folder, 'bin', `${name}.br`);
  await decompress(packed('chromium'), join(target, NPM_BROWSER), EXECUTABLE);
  // The archive `al2023` holds `lib`, and `fonts` holds `fonts` (the package's `bin`, read in version 153.0.0).
  for (const name of ['al2023', 'fonts']) {
    const archive = join(target, `${name}.tar`);
    await decompress(packed(`${name}.tar`), archive);
    const { ok, output } = await processes.run('tar', ['-xf', archive, '-C', target, '--no-same-owner']);
    if (!ok) throw new SetupFault(`${PACKAGE} ${VERSION} could not be unpacked.`, { log: output });
    rmSync(archive);
  }
  rmSync(draft, { recursive: true });
}

async function decompress(from, to, mode = 0o644) {
  const brotli = createBrotliDecompress({ chunkSize: 1 << 20 });
  await pipeline(createReadStream(from), brotli, createWriteStream(to, { mode }));
}

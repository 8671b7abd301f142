import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
  createReadStream,
  createWriteStream,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasDebianPackages, unpackDebianPackage } from './debian-packages.mjs';
import { SetupFault } from './setup-fault.mjs';
import { findOnPath, findUnpackedTool, removeUnpackedTool, unpackTool } from './tools.mjs';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { unpackNpmPackage } from './npm-package.mjs';

/** Chromium's headless shell in an npm package with all that it needs (github.com/Sparticuz/chromium). */
const PACKAGE = '@sparticuz/chromium';
const VERSION = '153.0.0';
const INTEGRITY =
  'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==';
const EXECUTABLE = 0o755;

/** The program's file name in the folder that `unpackNpmBrowser` fills. */
const NPM_BROWSER = 'headless-shell';

/** Whether the package has a program for this system. */
export function hasNpmBrowser(platform = process.platform, arch = process.arch) {
  return platform === 'linux' && arch === 'x64';
}

/** Fetches the browser from npm into `target`, with its libraries in `lib` and its fonts in `fonts`. Throws `SetupFault`. */
async function unpackNpmBrowser(target, processes) {
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

// The headless shell, Playwright's default, renders like the full browser. Without windows and tabs it needs a quarter of
// the CPU time per page, and almost none while a test waits.
const SHELL = 'chromium-headless-shell';
const NAMES = [
  SHELL,
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const RENDER_TIMEOUT_MS = 60_000;
const RENDER_POLL_MS = 50;
const BROWSER_GRACE_MS = 2_000;

/** Where a browser is fetched from where there is none, the fastest first. Each is unpacked as the tool `name`. */
const SOURCES = [
  {
    name: 'chromium-from-npm',
    step: 'Fetching Chromium from npm (once)',
    isAvailable: hasNpmBrowser,
    program: NPM_BROWSER,
    fonts: 'fonts',
    unpack: unpackNpmBrowser,
  },
  {
    name: SHELL,
    step: "Unpacking Chromium from the distribution's packages (once, without root)",
    isAvailable: hasDebianPackages,
    program: `usr/lib/chromium/${SHELL}`,
    fonts: 'usr/share/fonts',
    unpack: (target, processes) => unpackDebianPackage(SHELL, { target, processes }),
  },
];

/**
 * Path of a Chromium that renders a page on this machine: PACKWATCH_CHROMIUM, Playwright's own, one on the PATH, Google
 * Chrome on macOS, or one of `SOURCES`, unpacked without root. Prefers a headless shell. Throws a `SetupFault` that says
 * what to install.
 */
export async function findBrowser({ processes, reporter }) {
  const installed = [process.env.PACKWATCH_CHROMIUM, ...playwrightBrowsers(), findOnPath(NAMES), MAC_CHROME];
  for (const candidate of installed) {
    if (candidate && existsSync(candidate) && (await renders(candidate, processes))) return candidate;
  }
  let log = '';
  for (const source of SOURCES.filter(({ isAvailable }) => isAvailable())) {
    try {
      const program = await unpackBrowser(source, { processes, reporter });
      if (program !== null) return program;
    } catch (error) {
      if (!(error instanceof SetupFault)) throw error;
      log = error.log;
    }
  }
  throw missingBrowser(log);
}

// Playwright keeps its browsers in `chromium_headless_shell-REVISION/chrome-headless-shell-SYSTEM/…` and
// `chromium-REVISION/chrome-SYSTEM/…` (playwright.dev/docs/browsers).
function playwrightBrowsers() {
  const caches = [
    process.env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), '.cache', 'ms-playwright'),
    join(homedir(), 'Library', 'Caches', 'ms-playwright'),
  ];
  const programs = [
    ...['linux64', 'linux-arm64', 'mac-arm64', 'mac-x64'].map(
      (system) => `chrome-headless-shell-${system}/chrome-headless-shell`,
    ),
    'chrome-linux64/chrome',
    'chrome-linux/chrome',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  ];
  return caches
    .filter((folder) => folder && existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name))
        // The shell before the whole ("_" sorts after "-"), the newest first.
        .sort()
        .reverse()
        .map((name) => join(folder, name)),
    )
    .flatMap((folder) => programs.map((program) => join(folder, program)));
}

/** Path of the browser of a source, fetched the first time, or null when it does not run on this machine. */
async function unpackBrowser({ name, step, program, fonts, unpack }, { processes, reporter }) {
  const present = findUnpackedTool(name);
  if (present !== null && (await renders(present, processes))) return present;
  removeUnpackedTool(name);
  const script = await reporter.runStep(step, () =>
    unpackTool(name, {
      program,
      unpack: async (target) => {
        await unpack(target, processes);
        writeFontSettings(target, fonts);
      },
      processes,
    }),
  );
  if (await renders(script, processes)) return script;
  removeUnpackedTool(name);
  return null;
}

// A browser finds the fonts of system folders only; this adds the unpacked ones (fonts.conf(5)).
function writeFontSettings(target, fonts) {
  writeFileSync(
    join(target, 'fonts.conf'),
    [
      '<?xml version="1.0"?>',
      '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
      '<fontconfig>',
      '  <dir>/usr/share/fonts</dir>',
      '  <dir>/usr/local/share/fonts</dir>',
      `  <dir prefix="relative">${fonts}</dir>`,
      '  <include ignore_missing="yes">/etc/fonts/conf.d</include>',
      `  <cachedir>${join(target, 'font-cache')}</cachedir>`,
      '</fontconfig>',
      '',
    ].join('\n'),
  );
}

/** Whether the program opens a page and runs its script, over DevTools: not every headless shell has `--dump-dom`. */
async function renders(program, processes) {
  const profile = mkdtempSync(join(tmpdir(), 'packwatch-browser-'));
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    `--user-data-dir=${profile}`,
    '--remote-debugging-port=0',
  ];
  const page = 'data:text/html,<title></title><script>document.title = 6 * 7</script>';
  const browser = processes.start(program, [...flags, page], { stdio: 'ignore' });
  const late = AbortSignal.timeout(RENDER_TIMEOUT_MS);
  try {
    while (!late.aborted) {
      const ending = await Promise.race([browser.ended, sleep(RENDER_POLL_MS, null)]);
      if (ending !== null) return false;
      if ((await titlesOfPages(profile)).includes('42')) return true;
    }
    return false;
  } finally {
    await processes.stop(browser, BROWSER_GRACE_MS);
    rmSync(profile, { recursive: true, force: true });
  }
}

// The browser writes its port into its profile; `/json/list` are its pages (chromedevtools.github.io/devtools-protocol,
// "HTTP Endpoints").
async function titlesOfPages(profile) {
  try {
    const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
    const response = await fetch(`http://127.0.0.1:${port}/json/list`);
    return (await response.json()).map(({ title }) => title);
  } catch {
    return [];
  }
}

function missingBrowser(log = '') {
  return new SetupFault('No Chromium found for the browser tests.', {
    log,
    advice: ['Install Chromium or Google Chrome, or run: npx playwright install --with-deps chromium'],
  });
}

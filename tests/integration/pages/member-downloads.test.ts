import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '#shared/clock';
import { listReleases } from '#shared/releases/list-releases';
import { changeRelease } from '#shared/releases/save-release.server';
import { serverContext } from '~/http/server/context.server';
import * as dashboard from '~/routes/dashboard/dashboard';
import * as subscription from '~/routes/dashboard/subscription';
import { setReleases } from '../../fixtures/releases/set-releases';
import { createApiFixture, send, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite } from '../rendered-site';

const site = createRenderedSite({ '/dashboard': dashboard, '/dashboard/subscription': subscription });
const PAGES = ['/dashboard', '/dashboard/subscription'];

let fixture: ApiFixture;
let token: string;

const enter = async (persona: 'member' | 'beta') =>
  (token = await fixture.signIn(await fixture.account(persona)));

const release = (...seeds: Parameters<typeof setReleases>[2]) =>
  setReleases(fixture.db, serverContext().config.dataDir, seeds);

/** What a browser sees that sends the platform as a client hint. */
const read = (path: string, platform = 'Windows') =>
  site.get(path, token, { 'Sec-CH-UA-Platform': `"${platform}"` });

beforeEach(async () => {
  fixture = await createApiFixture();
  await enter('beta');
});

afterEach(async () => {
  vi.restoreAllMocks();
  await fixture.cleanup();
});

it('every link of the widgets gives the file that it names', async () => {
  await release(
    { version: '1.2.0', bytes: 2_500_000, releaseNotes: '# New\n\n- <b>Faster**' },
    { version: '1.1.0' },
  );
  const { text, html } = await read('/dashboard');
  expect(text).toMatch(
    /Quick Actions .* Download for Windows packwatch-windows\.exe, 2\.4 MB SHA-256 [0-9a-f]{12}… [0-9a-f]{64} Products you follow/,
  );
  expect(text).toMatch(
    /Desktop app Version 1\.2\.0 \d+ \w+ \d{4} Download for Windows packwatch-windows\.exe, 2\.4 MB SHA-256 [0-9a-f]{12}… [0-9a-f]{64} For another computer macOS packwatch-macos\.dmg, 2\.4 MB/,
  );
  expect(text).toContain('To check out with the app, you need Pro.');
  expect(text).toContain('What is new in 1.2.0 New &lt;b&gt;Faster** Earlier versions Version 1.1.0');
  expect((await read('/dashboard/subscription')).text).toMatch(
    /Desktop app Version 1\.2\.0 .* packwatch-windows\.exe, 2\.4 MB .* Download for Windows All files and versions/,
  );

  const [latest] = await listReleases(fixture.db, { publishedOnly: true });
  const links = [...html.matchAll(/href="(\/api\/downloads\/(\w+)\?version=1\.2\.0)"/g)];
  expect(links.map(([, , platform]) => platform)).toEqual(['windows', 'windows', 'macos', 'linux']);
  for (const [, address = '', platform] of links) {
    const file = Object.values(latest?.files ?? {}).find((one) => one.platform === platform);
    const answer = await send('HEAD', address, { cookie: token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ETag')).toBe(`"${file?.sha256}"`);
    expect(html).toContain(file?.sha256);
  }
});

it('the platform comes from the client hints, and a phone reads that the app is for a computer', async () => {
  await release({ version: '2.0.0-beta.1', isBeta: true });
  for (const path of PAGES) {
    expect((await read(path, 'macOS')).text).toContain('Download for macOS');
    expect((await site.get(path, token, { 'User-Agent': 'curl/8' })).text).toContain('Download for Linux');
    const phone = await site.get(path, token, { 'User-Agent': 'Mozilla/5.0 (iPhone) Mobile/15E148' });
    expect(phone.text).not.toContain('Download for');
    expect(phone.text).toContain('a computer with Windows, macOS or Linux');
    expect(phone.text).toContain('Version 2.0.0-beta.1 Beta');
  }
  const phone = await read('/dashboard', 'Android');
  expect(phone.text).toContain('packwatch.example/dashboard there to download it');
  expect(phone.html.match(/href="\/api\/downloads\//g)).toHaveLength(3);
  expect(phone.html).toContain('href="#desktop-app"');
});

it('a platform that the latest version lacks is not available yet; the newest version that has it is linked', async () => {
  await release({ version: '1.10.0', platforms: ['macos'] }, { version: '1.9.0' });
  const { text, html } = await read('/dashboard');
  expect(text).toMatch(/Quick Actions .* Windows version is not available yet Products you follow/);
  expect(text).toMatch(
    /Version 1\.10\.0 [\w ]+ Windows version is not available yet Download 1\.9\.0 for Windows/,
  );
  expect(text).toContain('Linux version is not available yet');
  expect(html).not.toContain('/api/downloads/windows?version=1.10.0');
  expect((await read('/dashboard/subscription')).text).toContain('Windows version is not available yet');
});

it('the card lists three earlier versions, and all of them on demand; withdrawn ones and ones without files are not listed', async () => {
  await release(...['1.0.0', '1.0.1', '1.0.2', '1.0.3', '1.0.4', '1.0.5'].map((version) => ({ version })));
  const listed = async (path: string) =>
    [...(await read(path)).text.matchAll(/Version (\S+) \d+ \w+ \d{4}/g)].map(([, version]) => version);
  expect(await listed('/dashboard')).toEqual(['1.0.5', '1.0.4', '1.0.3', '1.0.2']);
  expect((await read('/dashboard')).text).toContain('Show 2 more');
  expect(await listed('/dashboard?versions=all')).toEqual([
    '1.0.5',
    '1.0.4',
    '1.0.3',
    '1.0.2',
    '1.0.1',
    '1.0.0',
  ]);

  const [latest, second] = await listReleases(fixture.db, { publishedOnly: true });
  const change = { actor: { userId: null }, clock: systemClock };
  await changeRelease(fixture.db, { id: latest?.id ?? '', changes: { published: false }, ...change });
  await fixture.db
    .deleteFrom('release_files')
    .where('release_id', '=', second?.id ?? '')
    .execute();
  expect(await listed('/dashboard')).toEqual(['1.0.3', '1.0.2', '1.0.1', '1.0.0']);
});

it('without a release there is nothing to download, and the failure to read them says so', async () => {
  const { text, html } = await read('/dashboard');
  expect(text).toContain('Windows version is not available yet');
  expect(text).toContain('There is nothing to download yet');
  expect(html).not.toContain('/api/downloads/');
  expect((await read('/dashboard/subscription')).text).toContain(
    'Desktop app Windows version is not available yet',
  );

  await fixture.db.schema.alterTable('releases').renameTo('releases_away').execute();
  for (const path of PAGES) {
    const failed = await read(path);
    expect(failed.status).toBe(200);
    expect(failed.text).toContain('Desktop app Failed to load release information Try again');
    expect(failed.text).not.toContain('Download for');
  }
});

it('members without beta access see no download', async () => {
  await release({ version: '1.0.0' });
  await enter('member');
  for (const path of PAGES) expect((await read(path)).html).not.toMatch(/desktop-app|api\/downloads/);
  expect((await send('GET', '/api/downloads/windows', { cookie: token })).status).toBe(403);
});

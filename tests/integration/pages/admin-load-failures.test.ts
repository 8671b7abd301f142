import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminFacts } from '~/components/dashboard/admin-overview';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { serverContext } from '~/http/server/context.server';
import { loader as articles } from '~/routes/admin/articles/articles';
import { loader as siteSettings } from '~/routes/admin/site-settings';
import { loader as dashboard } from '~/routes/dashboard/dashboard';
import { createApiFixture, SITE, type ApiFixture } from '../api/api-fixture';

let fixture: ApiFixture;
let token: string;
beforeEach(async () => {
  fixture = await createApiFixture();
  token = await fixture.tokenOf('admin');
});
afterEach(() => fixture.cleanup());

function args(path: string) {
  const request = new Request(`${SITE}${path}`, { headers: { Cookie: `${SESSION_COOKIE}=${token}` } });
  return { request, params: {}, context: {} };
}

/** Makes reads of a table fail by renaming it. */
async function breakTable(name: string): Promise<void> {
  await fixture.db.schema.alterTable(name).renameTo(`${name}_away`).execute();
}

async function readFacts(): Promise<AdminFacts> {
  const loaded = await dashboard(args('/dashboard'));
  if (loaded.kind !== 'admin') throw new Error('This is not the admin’s page.');
  return loaded.facts;
}

const unread = ({ lines }: AdminFacts) =>
  Object.entries(lines)
    .filter(([, line]) => line === null)
    .map(([path]) => path.replace('/dashboard/', ''));

describe('the overview', () => {
  it('has all of its facts', async () => {
    const facts = await readFacts();
    expect(unread(facts)).toEqual([]);
    expect(facts.monitor).not.toBeNull();
  });

  it.each([
    ['settings', ['site-settings', 'hero-slides', 'hero-tracking']],
    ['articles', ['articles']],
    ['monitor_checks', ['monitor']],
  ])('without the table %s lacks only the facts of that table', async (table, lacking) => {
    await breakTable(table);
    const logged = vi.spyOn(serverContext().log, 'error');
    const facts = await readFacts();
    expect(unread(facts)).toEqual(lacking);
    expect(facts.monitor === null).toBe(lacking.includes('monitor'));
    expect(logged.mock.calls.map(([, sentence]) => sentence)).toEqual(['a part of a page failed to load']);
  });

  it('lacks only the waiting requests when they cannot be counted', async () => {
    await fixture.db.schema.alterTable('users').renameColumn('beta_ever_requested', 'gone').execute();
    expect(unread(await readFacts())).toEqual(['beta-access']);
  });
});

describe('a section', () => {
  it('of settings loads when its settings cannot be read', async () => {
    await breakTable('settings');
    expect(await siteSettings(args('/dashboard/site-settings'))).toMatchObject({ loaded: null });
  });

  it('of articles loads when its list cannot be read, with the requested page number', async () => {
    await breakTable('articles');
    const logged = vi.spyOn(serverContext().log, 'error');
    expect(await articles(args('/dashboard/articles?page=3'))).toMatchObject({ list: null, page: 3 });
    expect(logged.mock.calls.map(([, sentence]) => sentence)).toEqual(['a part of a page failed to load']);
  });
});

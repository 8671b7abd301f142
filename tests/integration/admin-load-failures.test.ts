import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminFacts } from '~/components/admin/admin-overview';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { serverContext } from '~/http/server/context.server';
import { loader as articles } from '~/routes/admin/articles/articles';
import { loader as siteSettings } from '~/routes/admin/site-settings';
import { loader as dashboard } from '~/routes/dashboard/dashboard';
import { createApiWorld, SITE, type ApiWorld } from './api-world';

let world: ApiWorld;
let token: string;
beforeEach(async () => {
  world = await createApiWorld();
  token = await world.tokenOf('admin');
});
afterEach(() => world.cleanup());

function args(path: string) {
  const request = new Request(`${SITE}${path}`, { headers: { Cookie: `${SESSION_COOKIE}=${token}` } });
  return { request, params: {}, context: {} };
}

/** A table that is not there is the plainest way for a read to fail. */
async function breakTable(name: string): Promise<void> {
  await world.db.schema.alterTable(name).renameTo(`${name}_away`).execute();
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
  it('has a fact in each of its pockets', async () => {
    const facts = await readFacts();
    expect(unread(facts)).toEqual([]);
    expect(facts.monitor).not.toBeNull();
  });

  it.each([
    ['settings', ['site-settings', 'hero-slides', 'hero-tracking']],
    ['articles', ['articles']],
    ['monitor_checks', ['monitor']],
  ])('without %s it lacks the facts that stand there, and no other', async (table, lacking) => {
    await breakTable(table);
    const logged = vi.spyOn(serverContext().log, 'error');
    const facts = await readFacts();
    expect(unread(facts)).toEqual(lacking);
    expect(facts.monitor === null).toBe(lacking.includes('monitor'));
    expect(logged.mock.calls.map(([, sentence]) => sentence)).toEqual(['a part of a page failed to load']);
  });

  it('lacks the waiting requests alone when they cannot be counted', async () => {
    await world.db.schema.alterTable('users').renameColumn('beta_ever_requested', 'gone').execute();
    expect(unread(await readFacts())).toEqual(['beta-access']);
  });
});

describe('a section', () => {
  it('of settings loads without its configuration', async () => {
    await breakTable('settings');
    expect(await siteSettings(args('/dashboard/site-settings'))).toMatchObject({ loaded: null });
  });

  it('of articles loads without its list, and knows which page of it was asked for', async () => {
    await breakTable('articles');
    const logged = vi.spyOn(serverContext().log, 'error');
    expect(await articles(args('/dashboard/articles?page=3'))).toMatchObject({ list: null, page: 3 });
    expect(logged.mock.calls.map(([, sentence]) => sentence)).toEqual(['a part of a page failed to load']);
  });
});

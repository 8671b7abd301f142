import { expect, test, vi } from 'vitest';
import { systemClock } from '#shared/clock';
import { SETTING_KEY } from '#shared/settings/read-settings';
import { changeHeroSlides, setRetailers, writeSetting } from '#shared/settings/write-settings';
import { closeServerContext, serverContext } from '~/http/server/context.server';
import { loader } from '~/routes/site/landing';
import { loader as liveLoader } from '~/routes/site/live/live-card';
import { setArticles } from '../../e2e/news-data';
import { SITE, siteFixture } from '../site-fixture';

const BY_HAND = { actor: { userId: null }, clock: systemClock };

const site = siteFixture();

async function readPage() {
  const complaints = vi.spyOn(serverContext().log, 'error');
  const page = await loader({ request: new Request(`${SITE}/`), params: {}, context: {} });
  return { ...page, complaints: complaints.mock.calls.map(([, complaint]) => complaint) };
}

const askLive = () => ({ request: new Request(`${SITE}/live.json`), params: {}, context: {} });

/** Makes reads of a table fail by renaming it. */
async function breakTable(name: string): Promise<void> {
  await site.db.schema.alterTable(name).renameTo(`${name}_away`).execute();
}

const slidesOf = ({ slides }: { slides: { kind: string }[] }) => slides.map(({ kind }) => kind);

test('three of the six newest articles are shown, featured ones first, and the newest is on the slide', async () => {
  const ids = await setArticles(
    site.db,
    Array.from({ length: 8 }, (_, at) => ({ featured: at === 4 || at === 7 })),
  );
  const { stories, slides, complaints } = await readPage();
  expect(stories.map(({ id }) => id)).toEqual([ids[4], ids[0], ids[1]]);
  expect(slides[0]).toMatchObject({ kind: 'news', story: { id: ids[0] } });
  expect(complaints).toEqual([]);
});

test('drafts are not shown', async () => {
  await setArticles(site.db, [{ published: false, featured: true }]);
  const page = await readPage();
  expect(page.stories).toEqual([]);
  expect(slidesOf(page)).toEqual(['community', 'checkout']);
});

test('the loader data contains no article content', async () => {
  await setArticles(site.db, [{ content: '<p>The long read.</p>', excerpt: 'In short.' }]);
  expect(JSON.stringify(await readPage())).not.toContain('The long read.');
});

test('while news are disabled there are no articles and no news slide', async () => {
  await setArticles(site.db, [{}]);
  await writeSetting(site.db, { key: SETTING_KEY.newsEnabled, value: 'false', ...BY_HAND });
  const page = await readPage();
  expect(page.stories).toEqual([]);
  expect(slidesOf(page)).not.toContain('news');
});

test('articles that cannot be read hide only their section, and are logged', async () => {
  await setRetailers(site.db, { retailers: ['Argos'], ...BY_HAND });
  await breakTable('articles');
  const page = await readPage();
  expect(page.complaints).toEqual(['Failed to load news articles']);
  expect(page.stories).toEqual([]);
  expect(slidesOf(page)).toEqual(['community', 'checkout']);
  expect(page.retailers).toEqual(['Argos']);
  expect(page.live).not.toBeNull();
});

test('settings that cannot be read leave news and slides at their defaults', async () => {
  await setArticles(site.db, [{}]);
  await changeHeroSlides(site.db, {
    changes: {
      newsSlideEnabled: false,
      discordSlideEnabled: false,
      checkoutSlideEnabled: false,
      trackingSetsEnabled: true,
    },
    ...BY_HAND,
  });
  expect(slidesOf(await readPage())).toEqual([]);
  await breakTable('settings');
  // The loader cache still has the settings of this content version.
  expect(slidesOf(await readPage())).toEqual([]);
  await closeServerContext();
  const page = await readPage();
  expect(page.stories).toHaveLength(1);
  expect(slidesOf(page)).toEqual(['news', 'community', 'checkout']);
  expect(page.retailers).toEqual([]);
  expect(page.complaints).toHaveLength(1);
});

test('a monitor that cannot be read does not affect the rest of the page', async () => {
  await setArticles(site.db, [{}]);
  await breakTable('watches');
  const page = await readPage();
  expect(page.live).toBeNull();
  expect(page.stories).toHaveLength(1);
});

test('/live.json returns the live state, and 503 when it cannot be read', async () => {
  const response = await liveLoader(askLive());
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
  const { live } = await readPage();
  expect(Object.keys((await response.json()) as object)).toEqual(Object.keys(live ?? {}));
  await breakTable('watches');
  expect((await liveLoader(askLive())).status).toBe(503);
});

import { systemClock, toIso } from '#shared/clock';
import { DEFAULT_HERO_SLIDES, type HeroSlides } from '#shared/settings/setting-fields';
import { NO_TRACKING_SETS, type TrackingSet } from '#shared/settings/tracking-sets';
import { changeHeroSlides, setRetailers, setTrackingSets } from '#shared/settings/write-settings';
import { setArticles, storePicture, withDatabase, type ArticleSeed } from './news-data';
import type { SharedStack } from './test';

/** What admins have arranged on the landing page. */
export interface SiteSeed {
  articles?: readonly ArticleSeed[];
  retailers?: readonly string[];
  slides?: Partial<HeroSlides>;
  /** The tracking sets' own switch. */
  tracking?: boolean;
  /** In this order, each with its own picture. */
  trackingSets?: readonly Pick<TrackingSet, 'name' | 'enabled'>[];
}

const BY_HAND = { actor: { userId: null }, clock: systemClock };

/** Arranges the site as a test wants it; what it does not say is as on the first day. */
export async function arrangeSite({ dataDir }: SharedStack, seed: SiteSeed = {}): Promise<void> {
  const { articles = [], retailers = [], slides = {}, tracking = false, trackingSets = [] } = seed;
  const pictures = await Promise.all(
    trackingSets.map(() => storePicture(dataDir, { width: 800, height: 600 })),
  );
  await withDatabase(dataDir, async (db) => {
    await setArticles(db, articles);
    await setRetailers(db, { retailers, ...BY_HAND });
    await changeHeroSlides(db, { changes: { ...DEFAULT_HERO_SLIDES, ...slides }, ...BY_HAND });
    await setTrackingSets(db, { config: NO_TRACKING_SETS, ...BY_HAND });
    const now = toIso(Date.now());
    for (const { uploadId } of pictures) {
      await db
        .insertInto('uploads')
        .values({ id: uploadId, kind: 'tracking', status: 'pending', created_at: now, updated_at: now })
        .execute();
    }
    const sets = trackingSets.map((set, at) => ({
      ...set,
      id: `set-${at}`,
      imageUrl: pictures[at]?.filePath ?? '',
      order: at + 1,
    }));
    await setTrackingSets(db, { config: { enabled: tracking, trackingSets: sets }, ...BY_HAND });
  });
}

import { toIso } from '#shared/clock';
import { listPublishedOutlines } from '#shared/news/list-articles';
import { DEFAULT_HERO_SLIDES } from '#shared/settings/setting-fields';
import type { SiteSettings } from '#shared/settings/read-settings';
import { NO_TRACKING_SETS } from '#shared/settings/tracking-sets';
import { FETCHED, landingStory, pickLatest } from '~/components/landing/latest-news';
import { listSlides, type Slide } from '~/components/landing/slides';
import type { LiveMonitor } from '~/components/monitor/live-card';
import type { Story } from '~/components/news/story';
import { readLiveMonitor, siteSettings } from '../../http/site/site-state.server';
import { serverContext } from '../../http/server/context.server';

/** What of the landing page is not written in its content file. */
export interface LandingPage {
  /** Null: it could not be read. */
  live: LiveMonitor | null;
  slides: Slide[];
  /** Empty while there is no news section, too. */
  stories: Story[];
  retailers: string[];
}

/** What the page goes by when its settings cannot be read: news are shown, and what has no default is not. */
const UNREAD_SETTINGS: Omit<SiteSettings, 'discordInviteUrl'> = {
  newsEnabled: true,
  retailers: [],
  trackingSets: NO_TRACKING_SETS,
  heroSlides: DEFAULT_HERO_SLIDES,
};

/** Reads everything at once. A part that cannot be read is left out, with a word in the log: the page always comes. */
export async function readLandingPage(): Promise<LandingPage> {
  const { db, clock, log } = serverContext();
  const orElse =
    <Instead>(instead: Instead, complaint: string) =>
    (error: unknown): Instead => {
      log.error({ err: error }, complaint);
      return instead;
    };
  const [live, settings, fetched] = await Promise.all([
    readLiveMonitor().catch(orElse(null, 'the live monitor could not be read')),
    siteSettings().catch(orElse(UNREAD_SETTINGS, 'the settings of the landing page could not be read')),
    listPublishedOutlines(db, { page: 1, limit: FETCHED }).catch(
      orElse({ articles: [] }, 'Failed to load news articles'),
    ),
  ]);
  const now = live?.now ?? toIso(clock.now());
  const { newsEnabled, heroSlides, trackingSets, retailers } = settings;
  const articles = newsEnabled ? fetched.articles : [];
  const newest = articles[0];
  return {
    live,
    slides: listSlides({
      heroSlides,
      trackingSets,
      newest: newest === undefined ? null : landingStory(newest, now),
    }),
    stories: pickLatest(articles).map((article) => landingStory(article, now)),
    retailers,
  };
}

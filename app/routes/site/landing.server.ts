import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { toIso } from '#shared/clock';
import { listPublishedOutlines } from '#shared/news/list-articles';
import { filterProducts } from '#shared/products/reading/list-products';
import { DEFAULT_HERO_SLIDES } from '#shared/settings/setting-fields';
import type { SiteSettings } from '#shared/settings/read-settings';
import { NO_TRACKING_SETS } from '#shared/settings/tracking-sets';
import { FETCHED, landingStory, pickLatest } from '~/components/landing/latest-news';
import { listSlides, type Slide } from '~/components/landing/slides';
import type { LiveMonitor } from '~/components/monitor/live-card';
import type { Story } from '~/components/news/story';
import { summaryOf, type ProductSummary } from '~/components/products/product-summary';
import { readProductSnapshot } from '~/routes/api/calls/public-products.server';
import { readLiveMonitor, siteSettings } from './site-state.server';
import { serverContext } from '../../http/server/context.server';

/** Dynamic data of the landing page. */
export interface LandingPage {
  /** Null: it could not be read. */
  live: LiveMonitor | null;
  slides: Slide[];
  /** Empty while the news section is off. */
  stories: Story[];
  retailers: string[];
  /** The products in stock that came back last. */
  products: ProductSummary[];
  /** When they were read (epoch ms). */
  productsAt: number;
}

/** So many products that came back are shown. */
const SHOWN_PRODUCTS = 3;

/** The defaults when the settings cannot be read. */
const UNREAD_SETTINGS: Omit<SiteSettings, 'discordInviteUrl'> = {
  newsEnabled: true,
  retailers: [],
  trackingSets: NO_TRACKING_SETS,
  heroSlides: DEFAULT_HERO_SLIDES,
};

/** Reads all parts concurrently, waiting rooms as `audience` may see them. A part that cannot be read is logged and left out, so that the page is always shown. */
export async function readLandingPage(audience: Audience): Promise<LandingPage> {
  const { db, clock, outages } = serverContext();
  const orElse =
    <Instead>(instead: Instead, message: string) =>
    (error: unknown): Instead => {
      outages.failed(error, message);
      return instead;
    };
  const [live, settings, fetched, { now: productsAt, products }] = await Promise.all([
    readLiveMonitor(audience).catch(orElse(null, 'the live monitor could not be read')),
    siteSettings().catch(orElse(UNREAD_SETTINGS, 'the settings of the landing page could not be read')),
    listPublishedOutlines(db, { page: 1, limit: FETCHED }).catch(
      orElse({ articles: [] }, 'Failed to load news articles'),
    ),
    readProductSnapshot(audience).catch(
      orElse({ now: 0, products: [] }, 'the products of the landing page could not be read'),
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
    products: filterProducts(products, { state: 'in_stock', retailer: null, q: '' })
      .slice(0, SHOWN_PRODUCTS)
      .map(summaryOf),
    productsAt,
  };
}

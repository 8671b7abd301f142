import type { HeroSlides } from '#shared/settings/setting-fields';
import { publicTrackingSets, type TrackingSets } from '#shared/settings/tracking-sets';
import { srcSetOf } from '#shared/storage/images/variant-names';
import type { Story } from '~/components/news/story';
import { SLIDES } from './slideshow-content';

/** A slide. `key` identifies it across changes of the settings. */
export type Slide =
  | { kind: 'news'; key: string; name: string; story: Story }
  | { kind: 'community'; key: string; name: string }
  | { kind: 'checkout'; key: string; name: string }
  | { kind: 'tracking'; key: string; name: string; imageUrl: string; srcSet: string | undefined };

/** The enabled slides: the newest story, the alert, the checkout and, if both switches are on, the enabled sets. */
export function listSlides({
  heroSlides,
  trackingSets,
  newest,
}: {
  heroSlides: HeroSlides;
  trackingSets: TrackingSets;
  newest: Story | null;
}): Slide[] {
  const slides: Slide[] = [];
  if (heroSlides.newsSlideEnabled && newest !== null)
    slides.push({ kind: 'news', key: 'news', name: SLIDES.news.kind, story: newest });
  if (heroSlides.discordSlideEnabled)
    slides.push({ kind: 'community', key: 'community', name: SLIDES.community.kind });
  if (heroSlides.checkoutSlideEnabled)
    slides.push({ kind: 'checkout', key: 'checkout', name: SLIDES.checkout.kind });
  if (heroSlides.trackingSetsEnabled && trackingSets.enabled) {
    for (const { id, name, imageUrl } of publicTrackingSets(trackingSets).trackingSets)
      slides.push({ kind: 'tracking', key: `tracking-${id}`, name, imageUrl, srcSet: srcSetOf(imageUrl) });
  }
  return slides;
}

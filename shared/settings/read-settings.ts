import type { z } from 'zod';
import type { Database } from '../database/schema';
import { retailersSchema } from './retailers';
import { discordInviteField, DEFAULT_HERO_SLIDES, heroSlidesSchema, type HeroSlides } from './setting-fields';
import { NO_TRACKING_SETS, trackingSetsSchema, type TrackingSets } from './tracking-sets';

/** The key of each of the site's settings. */
export const SETTING_KEY = {
  newsEnabled: 'news_section_enabled',
  retailers: 'retailers',
  trackingSets: 'tracking_sets',
  heroSlides: 'hero_slides',
  discordInvite: 'discord_invite_url',
  /** Read and written by `roles/`. */
  discordRoles: 'discord_roles',
} as const;

export interface SiteSettings {
  newsEnabled: boolean;
  /** In the order in which they were added. */
  retailers: string[];
  /** All sets, disabled ones included, in order. */
  trackingSets: TrackingSets;
  heroSlides: HeroSlides;
  /** Null while there is none. */
  discordInviteUrl: string | null;
}

/** Parses a stored JSON value; the fallback if it is missing or invalid. */
export function parseSetting<Schema extends z.ZodType>(
  schema: Schema,
  text: string | undefined,
  fallback: z.output<Schema>,
): z.output<Schema> {
  if (text === undefined) return fallback;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? fallback;
  } catch {
    return fallback;
  }
}

/** Reads the site's settings with one query. Defaults replace missing and invalid values. */
export async function readSiteSettings(db: Database): Promise<SiteSettings> {
  const rows = await db
    .selectFrom('settings')
    .select(['key', 'value'])
    .where('key', 'in', Object.values(SETTING_KEY))
    .execute();
  const values = new Map(rows.map((row) => [row.key, row.value]));
  return {
    newsEnabled: values.get(SETTING_KEY.newsEnabled) !== 'false',
    retailers: parseSetting(retailersSchema, values.get(SETTING_KEY.retailers), []),
    trackingSets: parseSetting(trackingSetsSchema, values.get(SETTING_KEY.trackingSets), NO_TRACKING_SETS),
    heroSlides: parseSetting(heroSlidesSchema, values.get(SETTING_KEY.heroSlides), DEFAULT_HERO_SLIDES),
    discordInviteUrl: discordInviteField.safeParse(values.get(SETTING_KEY.discordInvite)).data || null,
  };
}

/** Whether visitors see the news; on by default. */
export async function isNewsEnabled(db: Database): Promise<boolean> {
  return (await readSiteSettings(db)).newsEnabled;
}

/** Lists the supported retailers in the order in which they were added. */
export async function listRetailers(db: Database): Promise<string[]> {
  return (await readSiteSettings(db)).retailers;
}

/** Reads all tracking sets, disabled ones included, in order. */
export async function readTrackingSets(db: Database): Promise<TrackingSets> {
  return (await readSiteSettings(db)).trackingSets;
}

/** Reads which slides the landing page shows. */
export async function readHeroSlides(db: Database): Promise<HeroSlides> {
  return (await readSiteSettings(db)).heroSlides;
}

import { z } from 'zod';

/** The slides that the landing page's slideshow shows. */
export const heroSlidesSchema = z.object({
  newsSlideEnabled: z.boolean(),
  discordSlideEnabled: z.boolean(),
  checkoutSlideEnabled: z.boolean(),
  /** The tracking slides also need their own switch, in the tracking sets. */
  trackingSetsEnabled: z.boolean(),
});

export type HeroSlides = z.output<typeof heroSlidesSchema>;

export const DEFAULT_HERO_SLIDES: HeroSlides = {
  newsSlideEnabled: true,
  discordSlideEnabled: true,
  checkoutSlideEnabled: true,
  trackingSetsEnabled: false,
};

const INVITE = /^https:\/\/(?:discord\.gg|(?:www\.)?discord\.com\/invite)\/[\w-]{2,64}$/;
const INVITE_RULE = 'Please enter a Discord invite, such as https://discord.gg/…, or leave it empty.';

/** The invite link of the Discord community; empty for none. */
export const discordInviteField = z
  .string()
  .trim()
  .refine((text) => text === '' || INVITE.test(text), INVITE_RULE);

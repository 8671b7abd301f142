import { z } from 'zod';

const INVITE = /^https:\/\/(?:discord\.gg|(?:www\.)?discord\.com\/invite)\/[\w-]{2,64}$/;
const INVITE_RULE = 'Please enter a Discord invite, such as https://discord.gg/…, or leave it empty.';

/** Where the community is joined; empty while there is none. */
export const discordInviteField = z
  .string()
  .trim()
  .refine((text) => text === '' || INVITE.test(text), INVITE_RULE);

import { z } from 'zod';
import type { Account } from './account';
import type { PreferenceChanges } from './account-fields';

export interface Preferences {
  alerts: { email: boolean; push: boolean };
  marketing: boolean;
}

export interface ProfileSubscription {
  tier: 'free' | 'pro';
  expiresAt: string | null;
  cancelAtPeriodEnd: boolean;
}

/** What an account is told about itself; the field names are the API's. */
export interface Profile {
  id: string;
  email: string;
  role: Account['role'];
  username: string;
  beta_approved: boolean;
  beta_requested_at: string | null;
  desktop_access: boolean;
  subscription: ProfileSubscription;
  /** `avatar`: where our copy of the picture is served, from the site's root. */
  discord?: { id: string; avatar: string | null; username: string };
  preferences: Preferences;
}

/** Whoever has no subscription. */
const FREE: ProfileSubscription = { tier: 'free', expiresAt: null, cancelAtPeriodEnd: false };

const storedPreferences = z.object({
  alerts: z.object({ email: z.boolean().optional(), push: z.boolean().optional() }).optional(),
  marketing: z.boolean().optional(),
});

/** The stored choices; a broken text counts as none. */
export function parsePreferences(text: string): PreferenceChanges {
  try {
    const parsed = storedPreferences.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** Choices over defaults: alert mails are on until switched off; push and marketing wait to be asked for. */
function withDefaults({ alerts, marketing }: PreferenceChanges): Preferences {
  return {
    alerts: { email: alerts?.email ?? true, push: alerts?.push ?? false },
    marketing: marketing ?? false,
  };
}

/** Whether the desktop app may be used: with beta access and a tier other than free. */
export function hasDesktopAccess(account: Account, subscription: ProfileSubscription = FREE): boolean {
  return account.beta_approved_at !== null && subscription.tier !== 'free';
}

/** An account as its holder sees it. */
export function toProfile(account: Account, subscription: ProfileSubscription = FREE): Profile {
  return {
    id: account.id,
    email: account.email,
    role: account.role,
    username: account.username,
    beta_approved: account.beta_approved_at !== null,
    beta_requested_at: account.beta_requested_at,
    desktop_access: hasDesktopAccess(account, subscription),
    subscription,
    ...(account.discord_id !== null && {
      discord: {
        id: account.discord_id,
        avatar: account.discord_picture,
        username: account.discord_username ?? account.username,
      },
    }),
    preferences: withDefaults(parsePreferences(account.preferences)),
  };
}

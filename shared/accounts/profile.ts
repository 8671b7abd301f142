import { z } from 'zod';
import type { Membership } from '../subscriptions/membership';
import type { Account, Viewer } from './account';
import type { PreferenceChanges } from './account-fields';

export interface Preferences {
  alerts: { email: boolean; push: boolean };
  marketing: boolean;
}

/** An account as its user sees it; the field names are the API's. */
export interface Profile {
  id: string;
  email: string;
  role: Account['role'];
  username: string;
  beta_approved: boolean;
  beta_requested_at: string | null;
  desktop_access: boolean;
  subscription: Membership;
  /** `avatar`: path of our copy of the avatar. */
  discord?: { id: string; avatar: string | null; username: string };
  preferences: Preferences;
}

const storedPreferences = z.object({
  alerts: z.object({ email: z.boolean().optional(), push: z.boolean().optional() }).optional(),
  marketing: z.boolean().optional(),
});

/** Parses stored preferences; invalid JSON counts as none. */
export function parsePreferences(text: string): PreferenceChanges {
  try {
    const parsed = storedPreferences.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** Applies the defaults: alert mail is opt-out; push and marketing are opt-in. */
function withDefaults({ alerts, marketing }: PreferenceChanges): Preferences {
  return {
    alerts: { email: alerts?.email ?? true, push: alerts?.push ?? false },
    marketing: marketing ?? false,
  };
}

type Member = Pick<Viewer, 'account' | 'membership'>;

/** Whether the user may use the desktop app: with beta access and a tier other than free. */
export function hasDesktopAccess({ account, membership }: Member): boolean {
  return account.beta_approved_at !== null && membership.tier !== 'free';
}

/** The profile of a user. */
export function toProfile({ account, membership }: Member): Profile {
  return {
    id: account.id,
    email: account.email,
    role: account.role,
    username: account.username,
    beta_approved: account.beta_approved_at !== null,
    beta_requested_at: account.beta_requested_at,
    desktop_access: hasDesktopAccess({ account, membership }),
    subscription: membership,
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

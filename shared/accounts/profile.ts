import type { Membership } from '../subscriptions/membership';
import type { Account, Viewer } from './account';
import { readPreferences, type Preferences } from './preferences';

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

type Member = Pick<Viewer, 'account' | 'membership'>;

/** Whether the user may use the desktop app: with beta access and a tier other than free. */
export function hasDesktopAccess({ account, membership }: Member): boolean {
  return account.beta_approved_at !== null && membership.tier !== 'free';
}

/** Whether the user hears of a waiting room before the free audience does: with Pro, and as an admin. */
export function hasHeadStart({ account, membership }: Member): boolean {
  return membership.tier === 'pro' || account.role === 'admin';
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
    preferences: readPreferences(account.preferences),
  };
}

import { z } from 'zod';
import type { PreferenceChanges } from './account-fields';

/** What a member wants to receive. */
export interface Preferences {
  /** `watches`: the slugs of the watches to alert about; null: all, also those that are added later. */
  alerts: { email: boolean; push: boolean; watches: string[] | null };
  marketing: boolean;
}

const storedPreferences = z.object({
  alerts: z
    .object({
      email: z.boolean().optional(),
      push: z.boolean().optional(),
      watches: z.array(z.string()).nullable().optional(),
    })
    .optional(),
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

/**
 * The preferences of an account (`users.preferences`) with the defaults: alert mail is opt-out, for all watches; push and
 * marketing are opt-in.
 */
export function readPreferences(stored: string): Preferences {
  const { alerts, marketing } = parsePreferences(stored);
  return {
    alerts: {
      email: alerts?.email ?? true,
      push: alerts?.push ?? false,
      watches: alerts?.watches ?? null,
    },
    marketing: marketing ?? false,
  };
}

/** Whether the preferences ask for alerts about a watch over a channel. Says nothing of Pro and of bounced addresses. */
export function wantsAlert(
  { alerts }: Preferences,
  { channel, watchSlug }: { channel: 'email' | 'push'; watchSlug: string },
): boolean {
  return alerts[channel] && (alerts.watches === null || alerts.watches.includes(watchSlug));
}

import { z } from 'zod';

/** What a member wants to receive. */
export interface Preferences {
  /** `watches`: the slugs of the watches to alert about; null: all, also those that are added later. */
  alerts: { email: boolean; push: boolean; watches: string[] | null };
  marketing: boolean;
}

/** More than the watches that can exist. */
const MAX_CHOSEN_WATCHES = 500;
/** Longer than the slug of any watch. */
const MAX_SLUG_LENGTH = 100;

/** The preferences to change; fields that are left out stay unchanged. `watches`: null for all. */
export const preferencesField = z.object({
  alerts: z
    .object({
      email: z.boolean().optional(),
      push: z.boolean().optional(),
      watches: z
        .array(z.string().max(MAX_SLUG_LENGTH, 'This is not the name of a watch.'))
        .max(MAX_CHOSEN_WATCHES, `Please choose at most ${MAX_CHOSEN_WATCHES} watches.`)
        .transform((slugs) => [...new Set(slugs)])
        .nullable()
        .optional(),
    })
    .optional(),
  marketing: z.boolean().optional(),
});

export type PreferenceChanges = z.infer<typeof preferencesField>;

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

/** The preferences in `users.preferences`, with defaults: mail for all watches is opt-out; push and marketing are opt-in. */
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

/**
 * Whether the preferences allow alerts over a channel, regardless of Pro and of bounced addresses. `watchSlug`: of the waiting
 * room; null: about a product, which the member follows or not, whatever waiting rooms they chose.
 */
export function wantsAlert(
  { alerts }: Preferences,
  { channel, watchSlug }: { channel: 'email' | 'push'; watchSlug: string | null },
): boolean {
  return (
    alerts[channel] && (watchSlug === null || alerts.watches === null || alerts.watches.includes(watchSlug))
  );
}

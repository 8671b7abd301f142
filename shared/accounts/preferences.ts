import { z } from 'zod';
import { fromIso } from '../clock';
import type { QuietWindow } from '../quiet-hours';
import { timeZoneField } from '../zoned-hours';
import { type MemberChannel } from '../member-channels';

/** The messages that a member wants to receive. */
export interface Preferences {
  alerts: {
    email: boolean;
    push: boolean;
    /** The slugs of the watches to alert about; null: all, also those that are added later. */
    watches: string[] | null;
    /** In `timeZone`: mails wait until they end, and notifications make no sound. Null: none. */
    quietHours: { from: number; to: number } | null;
    /** Until then no mail and no notification is sent (ISO); null: they are not paused. */
    pausedUntil: string | null;
  };
  /** The IANA name. */
  timeZone: string;
  marketing: boolean;
}

const DEFAULT_ZONE = 'Europe/London';
const QUIET_RULE = 'Please choose two different hours, or none.';
const hour = z.int(QUIET_RULE).min(0, QUIET_RULE).max(23, QUIET_RULE);

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
      quietHours: z
        .object({ from: hour, to: hour }, QUIET_RULE)
        .refine(({ from, to }) => from !== to, QUIET_RULE)
        .nullable()
        .optional(),
      pausedUntil: z.iso
        .datetime('Please give a time in UTC, such as 2026-12-01T08:00:00Z.')
        .nullable()
        .optional(),
    })
    .optional(),
  timeZone: timeZoneField.optional(),
  marketing: z.boolean().optional(),
});

export type PreferenceChanges = z.infer<typeof preferencesField>;

const storedPreferences = z.object({
  alerts: z
    .object({
      email: z.boolean().optional(),
      push: z.boolean().optional(),
      watches: z.array(z.string()).nullable().optional(),
      quietHours: z.object({ from: z.number(), to: z.number() }).nullable().optional(),
      pausedUntil: z.string().nullable().optional(),
    })
    .optional(),
  timeZone: z.string().optional(),
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
  const { alerts, timeZone, marketing } = parsePreferences(stored);
  return {
    alerts: {
      email: alerts?.email ?? true,
      push: alerts?.push ?? false,
      watches: alerts?.watches ?? null,
      quietHours: alerts?.quietHours ?? null,
      pausedUntil: alerts?.pausedUntil ?? null,
    },
    timeZone: timeZone ?? DEFAULT_ZONE,
    marketing: marketing ?? false,
  };
}

/**
 * Whether the preferences allow alerts over a channel, regardless of Pro and of bounced addresses. `watchSlug`: of the waiting
 * room; null: about a product, which the member follows or not, whatever waiting rooms they chose.
 */
export function wantsAlert(
  { alerts }: Preferences,
  { channel, watchSlug }: { channel: MemberChannel; watchSlug: string | null },
): boolean {
  return (
    alerts[channel] && (watchSlug === null || alerts.watches === null || alerts.watches.includes(watchSlug))
  );
}

/** Whether the member has paused their alerts. `now`: epoch ms. */
export function isPaused({ alerts: { pausedUntil } }: Preferences, now: number): boolean {
  return pausedUntil !== null && fromIso(pausedUntil) > now;
}

/** The windows in which it is quiet for a member: their own, and that of the follow that an alert is about. */
export function quietWindowsOf(
  { alerts: { quietHours }, timeZone }: Preferences,
  follow: { quiet_from: number | null; quiet_to: number | null } | null = null,
): QuietWindow[] {
  const own = quietHours === null ? [] : [{ ...quietHours, timeZone }];
  return follow === null || follow.quiet_from === null || follow.quiet_to === null
    ? own
    : [...own, { from: follow.quiet_from, to: follow.quiet_to, timeZone }];
}

import { z } from 'zod';

/** Everything the shop can show, with its label and group in the panel. */
export const SHOP_MODES = {
  open: { label: 'Open', group: 'open', about: 'the shop itself' },
  slow: { label: 'Slow', group: 'open', about: 'the shop itself, after 31 seconds' },
  'imperva-room': {
    label: 'Imperva frame',
    group: 'room',
    about: 'a frame that leads into the waiting room',
  },
  'imperva-page': { label: 'Imperva page', group: 'room', about: 'the waiting room page itself' },
  'queueit-room': { label: 'Queue-it', group: 'room', about: 'a redirect to a queue host' },
  'cloudflare-room': { label: 'Cloudflare page', group: 'room', about: 'the default waiting room page' },
  'cloudflare-json': { label: 'Cloudflare JSON', group: 'room', about: 'the documented JSON response' },
  'words-room': { label: 'Words only', group: 'room', about: 'a home-made room without any machinery' },
  'bot-wall': { label: 'Imperva block', group: 'wall', about: 'the same small page, without a room' },
  'cloudflare-challenge': { label: 'Cloudflare challenge', group: 'wall', about: 'Just a moment…' },
  'akamai-denied': { label: 'Akamai denial', group: 'wall', about: 'Access Denied with 403' },
  error: { label: 'Error 503', group: 'fault', about: 'the shop is broken' },
  empty: { label: 'Empty', group: 'fault', about: '200 and not one byte' },
  reset: { label: 'Reset', group: 'fault', about: 'the connection is cut' },
} as const;

export type ShopMode = keyof typeof SHOP_MODES;
export const SHOP_MODE_NAMES = Object.keys(SHOP_MODES) as [ShopMode, ...ShopMode[]];

const MAX_DELAY_MS = 600_000;
const delayMs = z.number().min(0).max(MAX_DELAY_MS);

const step = z.strictObject({
  mode: z.enum(SHOP_MODE_NAMES),
  /** Milliseconds before the response. */
  delayMs: delayMs.optional(),
  /** An open page of some 600 KB rather than 15. */
  large: z.boolean().optional(),
  /** The header `Retry-After` of the response. */
  retryAfter: z.string().max(100).optional(),
});
export type ShopStep = z.infer<typeof step>;

const script = z.strictObject({
  script: z
    .array(z.union([z.enum(SHOP_MODE_NAMES), step]))
    .min(1)
    .max(10_000),
});
export type ShopScript = z.infer<typeof script>;

/** One mode from now on, or a script with one mode per request, whose last mode stays. */
export const shopSettingSchema = z.union([step, script], {
  error: `expected {mode, delayMs?, large?, retryAfter?} or {script: [mode or such a step, …]}; modes: ${SHOP_MODE_NAMES.join(', ')}`,
});
export type ShopSetting = z.infer<typeof shopSettingSchema>;

/** Just above the 30 seconds from which a check counts as slow. */
const SLOW_MS = 31_000;

export function delayOf({ mode, delayMs }: ShopStep): number {
  return delayMs ?? (mode === 'slow' ? SLOW_MS : 0);
}

/** `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Returns the value if it is a theme, else null. */
export function asTheme(value: unknown): Theme | null {
  return THEMES.find((theme) => theme === value) ?? null;
}

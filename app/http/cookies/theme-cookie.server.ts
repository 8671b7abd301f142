import { createCookie } from '@remix-run/node';
import { DAY, SECOND } from '#shared/clock';
import { asTheme, type Theme } from '#shared/site/theme';

/** The name of the cookie that holds the chosen theme. */
export const THEME_COOKIE = 'theme';

const themeCookie = createCookie(THEME_COOKIE, { path: '/', sameSite: 'lax', httpOnly: true });

/** How long a browser keeps the chosen theme. */
export const THEME_LIFETIME_MS = 365 * DAY;

/** The chosen theme; `system` without a valid cookie. */
export function readTheme(request: Request): Promise<Theme> {
  return parseTheme(request.headers.get('Cookie'));
}

/** The same from a Cookie header. */
export async function parseTheme(cookieHeader: string | null): Promise<Theme> {
  return asTheme(await themeCookie.parse(cookieHeader)) ?? 'system';
}

/** The Set-Cookie header that stores a theme for a year. `secure`: the site uses https. */
export function serializeTheme(theme: Theme, { secure }: { secure: boolean }): Promise<string> {
  return themeCookie.serialize(theme, { secure, maxAge: THEME_LIFETIME_MS / SECOND });
}

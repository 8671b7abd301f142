import { createCookie } from '@remix-run/node';
import { DAY, SECOND } from '#shared/clock';
import { asTheme, type Theme } from '~/components/theme/theme';

/** The cookie that holds a chosen theme. */
export const THEME_COOKIE = 'theme';

const themeCookie = createCookie(THEME_COOKIE, { path: '/', sameSite: 'lax', httpOnly: true });

/** How long a browser keeps the chosen theme. */
export const THEME_KEPT_MS = 365 * DAY;

/** The remembered theme; `system` when none was chosen or the cookie is not ours. */
export function readTheme(request: Request): Promise<Theme> {
  return parseTheme(request.headers.get('Cookie'));
}

/** The same out of a Cookie header. */
export async function parseTheme(cookieHeader: string | null): Promise<Theme> {
  return asTheme(await themeCookie.parse(cookieHeader)) ?? 'system';
}

/** The Set-Cookie header that remembers a theme for a year. `secure` when the site is served over https. */
export function rememberTheme(theme: Theme, { secure }: { secure: boolean }): Promise<string> {
  return themeCookie.serialize(theme, { secure, maxAge: THEME_KEPT_MS / SECOND });
}

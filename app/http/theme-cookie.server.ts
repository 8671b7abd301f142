import { createCookie } from '@remix-run/node';
import { DAY, SECOND } from '#shared/clock';
import { asTheme, type Theme } from '~/components/theme/theme';

const themeCookie = createCookie('theme', { path: '/', sameSite: 'lax', httpOnly: true });

/** The remembered theme; `system` when none was chosen or the cookie is not ours. */
export async function readTheme(request: Request): Promise<Theme> {
  return asTheme(await themeCookie.parse(request.headers.get('Cookie'))) ?? 'system';
}

/** The Set-Cookie header that remembers a theme for a year. `secure` when the site is served over https. */
export function rememberTheme(theme: Theme, { secure }: { secure: boolean }): Promise<string> {
  return themeCookie.serialize(theme, { secure, maxAge: (365 * DAY) / SECOND });
}

import { createCookie } from '@remix-run/node';
import { SECOND } from '#shared/clock';
import { hasSecureCookies } from './cookies.server';
import { serverContext } from '../server/context.server';

/** A cookie that only the server can read and write, signed with its expiry. On https: prefix `__Host-`. */
export function signedCookie(name: string, { lifetimeMs }: { lifetimeMs: number }) {
  function open() {
    const { keyring, clock } = serverContext();
    const secure = hasSecureCookies();
    const cookie = createCookie(secure ? `__Host-${name}` : name, {
      httpOnly: true,
      path: '/',
      sameSite: 'lax',
      secure,
      secrets: keyring.cookieSecrets,
    });
    return { cookie, now: clock.now() };
  }

  return {
    /** The stored text; null without a cookie, past its lifetime, or with an invalid signature. */
    async read(request: Request): Promise<string | null> {
      const header = request.headers.get('Cookie');
      if (header === null) return null;
      const { cookie, now } = open();
      const value: unknown = await cookie.parse(header);
      if (typeof value !== 'object' || value === null || !('text' in value) || !('until' in value))
        return null;
      const { text, until } = value;
      return typeof text === 'string' && typeof until === 'number' && now < until ? text : null;
    },
    async commit(headers: Headers, text: string) {
      const { cookie, now } = open();
      const value = await cookie.serialize(
        { text, until: now + lifetimeMs },
        { maxAge: lifetimeMs / SECOND },
      );
      headers.append('Set-Cookie', value);
    },
    /** Appends the Set-Cookie header that deletes the cookie. */
    async clear(headers: Headers) {
      headers.append('Set-Cookie', await open().cookie.serialize('', { maxAge: 0 }));
    },
  };
}

import { describe, expect, test } from 'vitest';
import { bearerToken, cookieToken, sessionCookie } from './session-cookie.server';

const TOKEN = 'abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE';

describe('the session cookie', () => {
  test('is HttpOnly and SameSite, and Secure on https', () => {
    expect(sessionCookie(TOKEN, { secure: true })).toBe(
      `__Host-packwatch_session=${TOKEN}; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax`,
    );
    expect(sessionCookie(TOKEN, { secure: false })).toBe(
      `packwatch_session=${TOKEN}; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax`,
    );
  });

  test('expires at once without a token', () => {
    expect(sessionCookie(null, { secure: false })).toMatch(/^packwatch_session=; Max-Age=0;/);
  });

  test.each([
    ['among other cookies', `theme=dark; packwatch_session=${TOKEN}; a=b`, TOKEN],
    ['missing', 'theme=dark', null],
    ['under a longer name', `x_packwatch_session=${TOKEN}`, null],
    ['empty', 'packwatch_session=', null],
    ['not a token', 'packwatch_session="<script>"', null],
    ['no cookies', null, null],
  ])('is read: %s', (_, header, token) => {
    expect(cookieToken(header, { secure: false })).toBe(token);
    expect(
      cookieToken(header?.replace('packwatch_session', '__Host-packwatch_session') ?? null, { secure: true }),
    ).toBe(token);
  });

  // A sibling domain, or a page over http, can set the plain name for our host.
  test('is read under its own name only', () => {
    expect(cookieToken(`packwatch_session=${TOKEN}`, { secure: true })).toBeNull();
    expect(cookieToken(`__Host-packwatch_session=${TOKEN}`, { secure: false })).toBeNull();
  });
});

describe('the bearer token', () => {
  test.each([
    ['in the usual form', `Bearer ${TOKEN}`, TOKEN],
    ['with other capitalisation', `bearer ${TOKEN}`, TOKEN],
    ['another scheme', `Basic ${TOKEN}`, null],
    ['two tokens', `Bearer ${TOKEN} ${TOKEN}`, null],
    ['nothing', 'Bearer ', null],
    ['no header', null, null],
  ])('is read: %s', (_, header, token) => {
    expect(bearerToken(header)).toBe(token);
  });
});

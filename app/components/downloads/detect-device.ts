import type { Platform } from '#shared/releases/release';

/** The platform of a computer; `handheld`: a phone or a tablet, which cannot run the desktop app. */
export type Device = Platform | 'handheld';

/** Values of Sec-CH-UA-Platform (wicg.github.io/ua-client-hints, "Sec-CH-UA-Platform"). */
const HINTED: Readonly<Record<string, Device>> = {
  Windows: 'windows',
  macOS: 'macos',
  Linux: 'linux',
  Android: 'handheld',
  iOS: 'handheld',
};

/** An iPhone's user agent contains "Mac OS X" and an Android phone's contains "Linux", so handhelds come first. */
const USER_AGENTS: readonly (readonly [RegExp, Device])[] = [
  [/iPhone|iPad|iPod|Android|\bMobile\b|\bTablet\b/i, 'handheld'],
  [/Windows/i, 'windows'],
  [/Macintosh|Mac OS X/i, 'macos'],
];

/** The device of a request: by Chromium's client hints, else its user agent, else Linux (specification, section 5). */
export function detectDevice(headers: Headers): Device {
  if (headers.get('Sec-CH-UA-Mobile') === '?1') return 'handheld';
  const hint = headers.get('Sec-CH-UA-Platform')?.replaceAll('"', '') ?? '';
  if (Object.hasOwn(HINTED, hint)) return HINTED[hint] ?? 'linux';
  const userAgent = headers.get('User-Agent') ?? '';
  return USER_AGENTS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'linux';
}

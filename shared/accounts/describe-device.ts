/** Order matters: User-Agent headers also name the browsers that they derive from. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

function nameOf(table: readonly [RegExp, string][], userAgent: string): string | undefined {
  return table.find(([pattern]) => pattern.test(userAgent))?.[1];
}

/** The browser and the system that a User-Agent header names; undefined for unknown ones. */
export function browserAndSystemOf(userAgent: string): {
  browser: string | undefined;
  system: string | undefined;
} {
  return { browser: nameOf(BROWSERS, userAgent), system: nameOf(SYSTEMS, userAgent) };
}

/** Describes a User-Agent header as `describeDevice` does, but no client in words that it chose: "an app". */
export function describeBrowser(userAgent: string | null): string {
  return browserAndSystemOf(userAgent ?? '').browser === undefined ? 'an app' : describeDevice(userAgent);
}

/** Describes a User-Agent header: "Chrome on Windows". Other clients are described by their first word. */
export function describeDevice(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Unknown device';
  const { browser, system } = browserAndSystemOf(userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return userAgent.trim().split(/[\s/]/, 1)[0]?.slice(0, 40) ?? 'Unknown device';
}

import { expect, it } from 'vitest';
import { detectDevice } from './detect-device';

const AGENTS = {
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  macos:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  chromeOs: 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  android: 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
  androidTablet: 'Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36',
};

it.each([
  [AGENTS.windows, 'windows'],
  [AGENTS.macos, 'macos'],
  [AGENTS.linux, 'linux'],
  [AGENTS.chromeOs, 'linux'],
  [AGENTS.iphone, 'handheld'],
  [AGENTS.android, 'handheld'],
  [AGENTS.androidTablet, 'handheld'],
  ['curl/8.5.0', 'linux'],
  ['', 'linux'],
])('without hints, the user agent %s is of %s', (userAgent, device) => {
  expect(detectDevice(new Headers({ 'User-Agent': userAgent }))).toBe(device);
});

it.each([
  ['"Windows"', '?0', 'windows'],
  ['"macOS"', '?0', 'macos'],
  ['"Linux"', '?0', 'linux'],
  ['"Android"', '?0', 'handheld'],
  ['"iOS"', '?1', 'handheld'],
  ['"Linux"', '?1', 'handheld'],
  // No platform that the app exists for: the user agent decides.
  ['"Unknown"', '?0', 'macos'],
  ['"constructor"', '?0', 'macos'],
])('the hints %s and %s precede the user agent: %s', (platform, mobile, device) => {
  const headers = new Headers({
    'User-Agent': AGENTS.macos,
    'Sec-CH-UA-Platform': platform,
    'Sec-CH-UA-Mobile': mobile,
  });
  expect(detectDevice(headers)).toBe(device);
});

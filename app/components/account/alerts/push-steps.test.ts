import { expect, it } from 'vitest';
import { stepsToAllow } from './push-steps';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';

it.each([
  ['Chrome', `${WINDOWS} AppleWebKit/537.36 Chrome/130.0 Safari/537.36`, 'Set Notifications to Allow'],
  ['Edge', `${WINDOWS} AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0`, 'Set Notifications'],
  ['Firefox', `${WINDOWS} Gecko/20100101 Firefox/132.0`, 'clear Blocked'],
  [
    'Safari of a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'Settings, Websites, Notifications',
  ],
  [
    'an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
    'Allow Notifications',
  ],
  [
    'Chrome on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
    'Android’s settings',
  ],
  ['Firefox on Android', 'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Firefox/132.0', 'shows Allowed'],
  ['an unknown browser', 'curl/8', 'the browser’s settings for this site'],
])('%s has its own steps, and those for private windows', (_, userAgent, step) => {
  const steps = stepsToAllow(userAgent).join(' ');
  expect(steps).toContain(step);
  expect(steps).toContain('private window');
});

import { PRODUCT_NAME } from '#shared/brand';
import { browserAndSystemOf } from '#shared/accounts/describe-device';

const PRIVATE_WINDOW =
  'Is this a private window? Browsers do not allow notifications there, so open this page in a normal one.';

function settingSteps(userAgent: string): string[] {
  const { browser, system } = browserAndSystemOf(userAgent);
  // Only the app on the Home Screen has notifications, and iOS keeps their setting.
  if (system === 'iOS')
    return [
      'Open the Settings app, then Notifications.',
      `Choose ${PRODUCT_NAME}, and switch on Allow Notifications.`,
    ];
  if (system === 'Android')
    return browser === 'Firefox'
      ? [
          'Press the lock next to this page’s address.',
          'Press Notification so that it shows Allowed.',
          'If it is greyed out, allow Firefox’s notifications in Android’s settings first.',
        ]
      : [
          'Press the icon to the left of this page’s address, then Permissions.',
          'Press Notifications, and switch them on.',
          `If they are missing, allow the notifications of ${browser ?? 'the browser'} in Android’s settings first.`,
        ];
  switch (browser) {
    case 'Firefox':
      return [
        'Press the icon to the left of this page’s address.',
        'Next to Send notifications, clear Blocked with its cross.',
      ];
    case 'Safari':
      return [
        'In the menu Safari, open Settings, Websites, Notifications.',
        'Find this site in the list, and choose Allow.',
      ];
    case 'Chrome':
    case 'Edge':
    case 'Opera':
      return [
        'Press the icon to the left of this page’s address.',
        'Set Notifications to Allow; if it is not listed, open the site settings there.',
      ];
    default:
      return ['Open the browser’s settings for this site.', 'Set Notifications to Allow.'];
  }
}

/** How to allow blocked notifications in the browser of this User-Agent, step by step. */
export function stepsToAllow(userAgent: string): string[] {
  return [
    ...settingSteps(userAgent),
    'Come back to this page and turn notifications on. If it still says blocked, reload it.',
    PRIVATE_WINDOW,
  ];
}

/** How to receive notifications on an iPhone or iPad, step by step (webkit.org/blog/13878). */
export const HOME_SCREEN_STEPS = [
  'Tap Share, then Add to Home Screen.',
  `Open ${PRODUCT_NAME} from the Home Screen, and sign in there.`,
  'Turn notifications on, on this page.',
  'If Share does not offer it, open this page in Safari. It needs iOS 16.4 or later.',
];

/** Advice for a browser without notifications. */
export const UNSUPPORTED_STEPS = [
  PRIVATE_WINDOW,
  'Did a link in another app open this page? Open it in the browser itself.',
  'Use a newer version of this browser, or another one.',
  'Or choose alerts by email, which do not depend on the browser.',
];
